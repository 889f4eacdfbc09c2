package import CampaignModel
package import Planning

/// Decides when a service reads the list of a refused send again, without a clock or files.
///
/// A list that was refused is refused again until its files, its definition or the limits of the
/// guards change. It is read without a change only now and then, because an error may pass.
///
/// `Version`: what changes with the files of a list.
package struct RefusedLists<Version: Hashable & Sendable>: Sendable {
    private struct Refusal: Sendable {
        let target: SendStepTarget
        let version: Version
        /// How often the list was refused in this version.
        let count: Int
        /// When it is read without a change.
        let again: Duration
    }

    private var refusals: [OccurrenceID: Refusal] = [:]

    package init() {}

    /// The time until a list is read without a change: after the first refusal, and at most.
    package static var pauses: ClosedRange<Duration> { .seconds(30)...(.seconds(900)) }

    /// Returns the sends that need not begin, because their lists would be refused again.
    ///
    /// - Parameters:
    ///   - sends: The sends that are due; others are forgotten.
    ///   - versions: The versions of their lists.
    ///   - now: On the clock that never jumps.
    /// - Returns: Their occurrences.
    package mutating func waiting(
        among sends: [SendStep],
        versions: [OccurrenceID: Version],
        at now: Duration
    ) -> Set<OccurrenceID> {
        var kept: [OccurrenceID: Refusal] = [:]
        for send in sends {
            if let known = known(send, version: versions[send.occurrence]) {
                kept[send.occurrence] = known
            }
        }
        refusals = kept
        return Set(kept.filter { now < $0.value.again }.keys)
    }

    /// Notes the sends that a window refused.
    ///
    /// - Parameters:
    ///   - refused: Their occurrences.
    ///   - sends: The sends of the window.
    ///   - versions: The versions of their lists before they were read.
    ///   - now: On the clock that never jumps.
    package mutating func note(
        _ refused: Set<OccurrenceID>,
        among sends: [SendStep],
        versions: [OccurrenceID: Version],
        at now: Duration
    ) {
        for send in sends where refused.contains(send.occurrence) {
            guard let version = versions[send.occurrence] else { continue }
            let count = (known(send, version: version)?.count ?? 0) + 1
            refusals[send.occurrence] = Refusal(
                target: send.target,
                version: version,
                count: count,
                again: now + Self.pause(after: count)
            )
        }
    }

    /// Nil if the list was not refused, or has changed since then.
    private func known(_ send: SendStep, version: Version?) -> Refusal? {
        guard let found = refusals[send.occurrence], found.target == send.target,
            found.version == version
        else { return nil }
        return found
    }

    private static func pause(after count: Int) -> Duration {
        min(pauses.lowerBound * (1 << min(count - 1, 10)), pauses.upperBound)
    }
}
