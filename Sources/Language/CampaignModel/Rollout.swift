package import JSON

/// Sends to a list in growing parts.
package struct Rollout: Hashable, Sendable {
    /// The audience that gets the message first; nil without one.
    package let canary: AudienceID?
    /// In ascending order; after the last stage, the whole list has been sent.
    package let stages: [Threshold]
    /// Seconds between two stages.
    package let pause: Int64
    package let stopWhen: StopConditions

    /// The rest is not sent if one of them is met.
    package struct StopConditions: Hashable, Sendable {
        /// More requests than this were rejected, without dead registrations; a share is one of the answers.
        package let rejected: Threshold?
        /// The outcomes of more requests than this are unknown.
        package let unknown: Threshold?
        /// Whether the wrong-list check or repeated server errors stop the rollout, too.
        package let held: Bool

        package init(rejected: Threshold?, unknown: Threshold?, held: Bool = false) {
            self.rejected = rejected
            self.unknown = unknown
            self.held = held
        }
    }

    package init(
        canary: AudienceID? = nil,
        stages: [Threshold],
        pause: Int64,
        stopWhen: StopConditions
    ) {
        self.canary = canary
        self.stages = stages
        self.pause = pause
        self.stopWhen = stopWhen
    }

    /// The stages in their order, with those that no author writes.
    ///
    /// Their positions are the numbers of the stages.
    package var allStages: [RolloutStage] {
        let written = stages.map(RolloutStage.part)
        let isWhole = stages.last == .share(Percentage.none.rest)
        return (canary.map { [.canary($0)] } ?? []) + written + (isWhole ? [] : [.rest])
    }

    /// What the hash of a rollout has in place of the experiment's name, so that stages and arms are independent.
    package static func experimentName(of campaign: CampaignID) -> String {
        "\(campaign.rawValue)#rollout"
    }
}

/// A part of a list that is sent before the next one begins.
package enum RolloutStage: Hashable, Sendable {
    /// Your own people.
    case canary(AudienceID)
    /// Everyone up to a share or a number of the list.
    case part(Threshold)
    /// Everyone else.
    case rest
}

// MARK: - Stored form

extension Threshold: CustomStringConvertible {
    package var description: String {
        switch self {
        case .share(let share): share.description
        case .count(let count): String(count)
        }
    }
}

extension Rollout {
    /// The form in which a state stores it.
    package var stored: JSONValue {
        var stored: JSONObject = [
            "stages": .array(stages.map { .string($0.description) }),
            "pause": .integer(pause),
            "held": .bool(stopWhen.held),
        ]
        stored["canary"] = canary.map { .string($0.rawValue) }
        stored["rejected"] = stopWhen.rejected.map { .string($0.description) }
        stored["unknown"] = stopWhen.unknown.map { .string($0.description) }
        return .object(stored)
    }

    /// Nil if a part of it is unreadable.
    package init?(stored: JSONValue) {
        let stages = stored["stages"]?.arrayValue?.map { $0.stringValue.flatMap { Threshold($0) } }
        guard let stages, let pause = stored["pause"]?.integerValue,
            let held = stored["held"]?.boolValue
        else { return nil }
        let known = stages.compactMap(\.self)
        guard !known.isEmpty, known.count == stages.count else { return nil }
        self.init(
            canary: stored["canary"]?.stringValue.flatMap { AudienceID($0) },
            stages: known,
            pause: pause,
            stopWhen: StopConditions(
                rejected: stored["rejected"]?.stringValue.flatMap { Threshold($0) },
                unknown: stored["unknown"]?.stringValue.flatMap { Threshold($0) },
                held: held
            )
        )
    }
}
