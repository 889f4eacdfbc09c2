package import CampaignModel
package import State

/// Counts the answers of a stage, and finds out when its rollout must stop.
///
/// Dead registrations do not count, because their answers do not depend on the message.
package struct RolloutGuard: Hashable, Sendable {
    private let conditions: Rollout.StopConditions
    /// Since the stage began, or since a person continued the rollout.
    package private(set) var counts: RolloutCounts
    private var reasons: RolloutReasons

    /// A share of fewer answers is judged only at the end of the stage.
    package static let fewestAnswers = 20

    /// `counts`, `reasons`: those of the answers that earlier runs got in the stage.
    package init(
        _ conditions: Rollout.StopConditions,
        counts: RolloutCounts = .none,
        reasons: RolloutReasons = RolloutReasons()
    ) {
        self.conditions = conditions
        self.counts = counts
        self.reasons = reasons
    }

    /// Whether an answer can be the reason to stop.
    var dependsOnAnswers: Bool { conditions.rejected != nil || conditions.unknown != nil }

    package mutating func accepted() { counts.accepted += 1 }

    package mutating func rejected(_ rejection: Rejection) {
        guard !rejection.isDead else { return }
        counts.rejected += 1
        reasons.rejected(rejection)
    }

    /// `reason`: nil if it was not recorded.
    package mutating func unknown(_ reason: String?) {
        counts.unknown += 1
        reasons.unknown(reason)
    }

    /// Why the rollout must stop; nil if it may continue.
    ///
    /// `isOver`: whether the stage has all its answers.
    package func stop(isOver: Bool = false) -> RolloutStop? {
        let (answers, unknown) = (counts.answers, counts.unknown)
        if conditions.rejected.isExceeded(counts.rejected, of: answers, isOver: isOver) {
            return RolloutStop(.rejected, counts: counts, code: reasons.rejection)
        }
        if conditions.unknown.isExceeded(unknown, of: answers + unknown, isOver: isOver) {
            return RolloutStop(.unknown, counts: counts, code: reasons.unknown)
        }
        return nil
    }

    /// Why the rollout must stop after the wrong-list check or server errors stopped its send.
    package func stop(after reason: String) -> RolloutStop? {
        conditions.held ? RolloutStop(.held, counts: counts, code: reason) : nil
    }
}

/// How often each reason of FCM or the network made a request of a stage fail.
package struct RolloutReasons: Hashable, Sendable {
    private var rejections: [String: Int] = [:]
    private var unknowns: [String: Int] = [:]

    package init() {}

    package mutating func rejected(_ rejection: Rejection) {
        guard !rejection.isDead else { return }
        rejections[rejection.reason, default: 0] += 1
    }

    package mutating func unknown(_ reason: String?) {
        if let reason { unknowns[reason, default: 0] += 1 }
    }

    /// The most frequent reason of rejections.
    var rejection: String? { rejections.mostFrequent }

    /// The most frequent reason of unknown outcomes.
    var unknown: String? { unknowns.mostFrequent }
}

extension Threshold? {
    /// Whether a number is larger than the threshold.
    fileprivate func isExceeded(_ number: Int, of all: Int, isOver: Bool) -> Bool {
        switch self {
        case nil: false
        case .count(let most)?: number > most
        case .share(let share)?:
            (isOver || all >= RolloutGuard.fewestAnswers)
                && number * 10_000 > share.basisPoints * all
        }
    }
}

extension [String: Int] {
    /// Of equally frequent ones the first by name.
    fileprivate var mostFrequent: String? {
        self.min { ($1.value, $0.key) < ($0.value, $1.key) }?.key
    }
}
