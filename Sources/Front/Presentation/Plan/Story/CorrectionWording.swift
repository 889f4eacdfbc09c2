import CampaignModel
import Planning
import State
import Time

/// Describes a correction in a plan.
struct CorrectionWording {
    private let correction: PlannedCorrection
    private let clock: StoryClock

    init(_ correction: PlannedCorrection, clock: StoryClock) {
        self.correction = correction
        self.clock = clock
    }

    /// Continues the name, such as `corrects spring-tide-warning/once/1: 498 accepted, 2 unknown get the new text`.
    func headline(mood: PlanMood) -> String {
        let occurrence = TextStyle.safe(correction.occurrence.description)
        let verb =
            correction.isHandedOver
            ? mood.verb("is", "be") + " handed over to the service, which corrects"
            : mood.verb("corrects", "correct")
        return "\(verb) \(occurrence): \(recipients(of: correction.recall.unit)) the new text"
    }

    /// What the plan's table says, such as `corrects spring-tide-warning/once/1`.
    var action: String { "corrects \(correction.occurrence)" }

    /// The registrations that get the new text; nil for a topic, whose devices may be others than then.
    var reach: String? {
        correction.target.isFanOut ? nil : correction.count.counting("registration")
    }

    private func recipients(of unit: WorkUnitRecord) -> String {
        guard case .registrations = unit.target else { return "the \(unit.wording) gets" }
        let unknown = unit.tally[.unknown] + unit.open
        let counts =
            "\(unit.tally[.accepted].grouped) accepted"
            + (unknown > 0 ? ", \(unknown.grouped) unknown" : "")
        return counts + (correction.recall.reached == 1 ? " gets" : " get")
    }

    /// Sentences about who gets the new text.
    var recipients: [String] {
        let dead = correction.recall.reached - correction.count
        let hasDied = correction.target.isFanOut || dead <= 0
        return [Self.sentence(RecallWording(correction.recall).address)]
            + (hasDied
                ? []
                : [
                    "\(dead.counting("registration")) died since then, and \(dead == 1 ? "gets" : "get") nothing."
                ])
    }

    /// Sentences about what the correction does.
    var effects: [String] {
        let wording = RecallWording(correction.recall)
        let end = clock.moment(correction.recall.end)
        let expiry = "It expires with the message that it corrects, \(end.stamp) \(end.zone)."
        return [wording.cancelled].compactMap { $0.map(Self.sentence) }
            + wording.effects.map(Self.sentence) + [expiry]
    }

    private static func sentence(_ text: String) -> String {
        (text.first.map { $0.uppercased() } ?? "") + text.dropFirst() + "."
    }
}

extension NothingToCorrect {
    /// Continues the name of the correction.
    func wording(at now: Instant) -> String { "has nothing to correct: \(reason(at: now))" }

    private func reason(at now: Instant) -> String {
        switch (reason, corrected) {
        case (.refused(let refusal), .occurrence(let id)):
            ErrorText.notRecallable(id, because: refusal, at: now).message
        case (.lostList, _):
            "the list of \(TextStyle.safe(corrected.description)) is no longer stored, and the list of its "
                + "campaign has changed"
        case (.notSent, _), (.refused, .last):
            "\(TextStyle.safe(corrected.description)) was not sent yet"
        }
    }

    /// What a user can do about it; nil if nothing.
    var advice: String? {
        switch (reason, corrected) {
        case (.refused(.alreadyRequested), _): nil
        case (.refused(let refusal), .occurrence(let id)):
            ErrorText.notRecallable(id, because: refusal, at: .latest).help.map(Self.sentence)
        case (.lostList, _): "Send a new campaign"
        case (.notSent, _), (.refused, .last):
            "Change its text instead. Once this plan is applied, the correction is done, unless you change "
                + "it"
        }
    }

    private static func sentence(_ text: String) -> String {
        (text.first.map { $0.uppercased() } ?? "") + text.dropFirst()
    }
}
