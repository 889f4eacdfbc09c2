package import CampaignModel
package import JSON
package import Time

/// Where the rollout of an occurrence is.
///
/// The stages are those that the campaign had when the occurrence began: later changes to the files do not affect it.
package struct RolloutRecord: Hashable, Sendable {
    package let rollout: Rollout
    /// The number of the present stage, in the order of `Rollout.allStages`.
    package let stage: Int
    /// When the stage began, or begins after a pause.
    package let since: Instant
    /// The counts of the occurrence when the stage began or was continued; nil if the next run records them.
    package let base: RolloutCounts?
    /// Why nothing more is sent; nil unless the rollout is stopped.
    package let stop: RolloutStop?
    /// The person who ended the rollout; nil if no one did.
    package let abortion: RolloutDecision?
    /// The person who continued it last, after a stop or in a pause.
    package let continuation: RolloutDecision?

    package init(
        _ rollout: Rollout,
        stage: Int = 0,
        since: Instant,
        base: RolloutCounts? = RolloutCounts.none,
        stop: RolloutStop? = nil,
        abortion: RolloutDecision? = nil,
        continuation: RolloutDecision? = nil
    ) {
        self.rollout = rollout
        self.stage = stage
        self.since = since
        self.base = base
        self.stop = stop
        self.abortion = abortion
        self.continuation = continuation
    }

    /// Whether nothing is sent until a person decides, or ever.
    package var isStopped: Bool { stop != nil || abortion != nil }

    package var isLastStage: Bool { stage >= rollout.allStages.count - 1 }
}

/// The answers to requests of a rollout, without requests that were repeated since then.
package struct RolloutCounts: Hashable, Sendable {
    package var accepted: Int
    /// Without dead registrations.
    package var rejected: Int
    package var unknown: Int

    package init(accepted: Int, rejected: Int, unknown: Int) {
        self.accepted = accepted
        self.rejected = rejected
        self.unknown = unknown
    }

    package static let none = RolloutCounts(accepted: 0, rejected: 0, unknown: 0)

    /// The number of answers.
    package var answers: Int { accepted + rejected }

    /// A person may have resolved unknown outcomes since then.
    package static func - (now: RolloutCounts, then: RolloutCounts) -> RolloutCounts {
        RolloutCounts(
            accepted: max(0, now.accepted - then.accepted),
            rejected: max(0, now.rejected - then.rejected),
            unknown: max(0, now.unknown - then.unknown)
        )
    }
}

/// Why a rollout stopped.
package struct RolloutStop: Hashable, Sendable {
    /// The raw values are stored: they never change.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        /// More requests were rejected than `stop_when` allows.
        case rejected
        /// The outcomes of more requests are unknown than `stop_when` allows.
        case unknown
        /// The wrong-list check or repeated server errors stopped the send.
        case held
    }

    package let reason: Reason
    /// Those of the stage.
    package let counts: RolloutCounts
    /// The most frequent reason of FCM or the network; nil if it is unknown.
    package let code: String?

    package init(_ reason: Reason, counts: RolloutCounts, code: String?) {
        self.reason = reason
        self.counts = counts
        self.code = code
    }
}

/// A person's decision about a rollout.
package struct RolloutDecision: Hashable, Sendable {
    package let user: String
    package let host: String
    package let at: Instant

    package init(user: String, host: String, at: Instant) {
        self.user = user
        self.host = host
        self.at = at
    }
}

/// A change to the record of a rollout.
package enum RolloutChange: Hashable, Sendable {
    /// A stage begins at a time, which may be later; the counts are those of all earlier stages.
    case begin(stage: Int, at: Instant, counts: RolloutCounts)
    /// The counts from which the present stage is judged after a person continued it.
    case count(RolloutCounts)
    case stop(RolloutStop)
    /// Sends on after a stop, or before the end of a pause.
    case goOn(RolloutDecision)
    case abort(RolloutDecision)
}

extension RolloutRecord {
    /// Returns the record after a change; nil if the change is not possible.
    package func applying(_ change: RolloutChange) -> RolloutRecord? {
        switch change {
        case .begin(let stage, let time, let counts):
            guard !isStopped, stage == self.stage + 1 else { return nil }
            return with(stage: stage, since: time, base: counts)
        case .count(let counts):
            guard base == nil else { return nil }
            return with(base: counts)
        case .stop(let stop):
            // The first reason stays.
            guard !isStopped else { return nil }
            return with(base: base, stop: stop)
        case .goOn(let decision):
            guard abortion == nil, stop != nil || since > decision.at else { return nil }
            let next = with(
                since: stop == nil ? decision.at : since,
                base: stop == nil ? base : nil
            )
            return next.decided(continuation: decision)
        case .abort(let decision):
            guard abortion == nil else { return nil }
            return with(base: base, stop: stop).decided(abortion: decision)
        }
    }

    private func with(
        stage: Int? = nil,
        since: Instant? = nil,
        base: RolloutCounts?,
        stop: RolloutStop? = nil
    ) -> RolloutRecord {
        RolloutRecord(
            rollout,
            stage: stage ?? self.stage,
            since: since ?? self.since,
            base: base,
            stop: stop,
            abortion: abortion,
            continuation: continuation
        )
    }

    private func decided(
        abortion: RolloutDecision? = nil,
        continuation: RolloutDecision? = nil
    ) -> RolloutRecord {
        RolloutRecord(
            rollout,
            stage: stage,
            since: since,
            base: base,
            stop: stop,
            abortion: abortion ?? self.abortion,
            continuation: continuation ?? self.continuation
        )
    }
}

// MARK: - Stored form

extension RolloutRecord {
    package var stored: JSONValue {
        var stored: JSONObject = [
            "rollout": rollout.stored, "stage": .integer(Int64(stage)),
            "since": .integer(since.secondsSince1970),
        ]
        stored["base"] = base?.stored
        stored["stop"] = stop?.stored
        stored["aborted"] = abortion?.stored
        stored["continued"] = continuation?.stored
        return .object(stored)
    }

    /// Nil if it is unreadable.
    package init?(stored: JSONValue) {
        guard let rollout = stored["rollout"].flatMap(Rollout.init(stored:)),
            let stage = stored["stage"]?.integerValue, let since = stored["since"]?.integerValue,
            (0..<rollout.allStages.count).contains(Int(stage))
        else { return nil }
        let stop = stored["stop"].map(RolloutStop.init(stored:))
        if case .some(nil) = stop { return nil }
        self.init(
            rollout,
            stage: Int(stage),
            since: Instant(secondsSince1970: since),
            base: stored["base"].flatMap(RolloutCounts.init(stored:)),
            stop: stop ?? nil,
            abortion: stored["aborted"].flatMap(RolloutDecision.init(stored:)),
            continuation: stored["continued"].flatMap(RolloutDecision.init(stored:))
        )
    }
}

extension RolloutCounts {
    package var stored: JSONValue {
        [
            "accepted": .integer(Int64(accepted)), "rejected": .integer(Int64(rejected)),
            "unknown": .integer(Int64(unknown)),
        ]
    }

    fileprivate init?(stored: JSONValue) {
        guard let accepted = stored["accepted"]?.integerValue,
            let rejected = stored["rejected"]?.integerValue,
            let unknown = stored["unknown"]?.integerValue
        else { return nil }
        self.init(accepted: Int(accepted), rejected: Int(rejected), unknown: Int(unknown))
    }
}

extension RolloutStop {
    fileprivate var stored: JSONValue {
        var stored: JSONObject = ["reason": .string(reason.rawValue), "counts": counts.stored]
        stored["code"] = code.map(JSONValue.string)
        return .object(stored)
    }

    fileprivate init?(stored: JSONValue) {
        guard let reason = stored["reason"]?.stringValue.flatMap(Reason.init(rawValue:)),
            let counts = stored["counts"].flatMap(RolloutCounts.init(stored:))
        else { return nil }
        self.init(reason, counts: counts, code: stored["code"]?.stringValue)
    }
}

extension RolloutDecision {
    fileprivate var stored: JSONValue {
        [
            "user": .string(user), "host": .string(host), "at": .integer(at.secondsSince1970),
        ]
    }

    fileprivate init?(stored: JSONValue) {
        guard let user = stored["user"]?.stringValue, let host = stored["host"]?.stringValue,
            let at = stored["at"]?.integerValue
        else { return nil }
        self.init(user: user, host: host, at: Instant(secondsSince1970: at))
    }
}
