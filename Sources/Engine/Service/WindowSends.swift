import Applying
import CampaignModel
package import Planning
import Sending
package import Time

/// What is due at a time, according to the state.
package struct DueWork: Sendable {
    package let plan: Plan
    /// When the next occurrence is due or resumes; nil if there is none.
    package let next: Instant?

    package init(plan: Plan, next: Instant?) {
        self.plan = plan
        self.next = next
    }
}

/// The sends of a window that have not ended.
struct WindowSends {
    /// A send with what its start needs.
    ///
    /// A class, because many copies of it are made.
    final class Entry: Sendable {
        let step: SendStep
        let context: SendContext
        let due: DueSend
        let isRepeating: Bool

        init(_ step: SendStep, in context: SendContext, due: DueSend) {
            self.step = step
            self.context = context
            self.due = due
            isRepeating = !step.occurrence.slot.isOnly
        }
    }

    private var entries: [OccurrenceID: Entry] = [:]
    /// The occurrences that ended and do not begin again in this window.
    private var ended: Set<OccurrenceID> = []

    subscript(id: OccurrenceID) -> Entry? { entries[id] }

    /// For the machine.
    var due: [DueSend] {
        entries.values.sorted { $0.step.occurrence < $1.step.occurrence }.map(\.due)
    }

    /// The campaigns that wait or are sent, or their parts.
    var parts: Set<SendPart> { Set(entries.keys.map(SendPart.init(of:))) }

    /// The time until joins have settled for the first send that waits for them; nil if none
    /// waits.
    func settling(at now: ServiceMachine.Reading) -> Duration? {
        entries.values.compactMap(\.due.settled).filter { $0 > now.steady }.min()
            .map { $0 - now.steady }
    }

    /// Adds the sends of actions, which begin after `gate` was opened.
    mutating func add(
        _ actions: [CampaignAction],
        of plan: Plan,
        behind gate: SendGate,
        at now: ServiceMachine.Reading
    ) {
        let context = SendContext(plan, gate: gate)
        for action in actions {
            guard let step = action.step.began, let campaign = action.source else { continue }
            let settling = gate.settling(of: step)
            let due = DueSend(
                step,
                of: campaign,
                reach: plan.reach(of: step),
                settled: settling > .zero ? now.steady + settling : nil
            )
            entries[step.occurrence] = Entry(step, in: context, due: due)
        }
    }

    /// Returns the actions of a later plan that are new, without those that need a person.
    func new(in plan: Plan) -> [CampaignAction] {
        let busy = parts
        return plan.campaigns.filter { action in
            guard !busy.contains(action.part), action.step != .unchanged,
                !action.step.isWaiting
            else { return false }
            return action.step.began.map { !ended.contains($0.occurrence) } ?? true
        }
    }

    /// `mayGoOn`: whether the occurrence may begin again in this window.
    mutating func end(_ id: OccurrenceID, mayGoOn: Bool) {
        entries[id] = nil
        if !mayGoOn { ended.insert(id) }
    }
}
