import CampaignModel
package import Planning
import State
package import Time

/// A send to a short list, which may be started together with others.
package struct ShortSend: Sendable {
    package let step: SendStep
    /// The time from which the message's lifetime counts.
    package let due: Instant
    let list: ListID
    /// The registrations that were not dead when the send was planned, in the order of the list.
    let living: [Fingerprint]

    /// The largest number of requests of a short send.
    static let mostRequests = 32

    /// Nil if the send needs a separate task.
    ///
    /// - Parameters:
    ///   - step: The send.
    ///   - planned: The time of its plan.
    ///   - now: The current time.
    package init?(_ step: SendStep, plannedAt planned: Instant, now: Instant) {
        guard step.unit == nil, case .stored(let list, let living) = step.target,
            living.count == step.remaining, !living.isEmpty,
            step.remaining + step.dead.count <= Self.mostRequests,
            !step.keepsIDs, step.texts == nil, step.recipients == nil, step.caps == nil,
            step.experiment == nil,
            step.rollout == nil,
            step.hold?.interrupts(at: now) != true
        else { return nil }
        self.step = step
        due = step.due == planned ? max(planned, now) : step.due
        self.list = list
        self.living = living
    }

    /// The number of requests, including those to dead registrations.
    var count: Int { living.count + step.dead.count }
}

/// How short sends are divided into batches.
///
/// The first batches are small, so that the first request leaves soon. Large ones need fewer commits.
package enum ShortBatches {
    /// The largest number of sends of the first batch; that of the next ones is twice as large each.
    static let fewestSends = 64
    /// The largest number of sends of a batch.
    static let mostSends = 512
    /// The largest number of requests of a batch.
    static let mostRequests = 2_000

    /// Returns the positions of the sends of each batch, in order.
    ///
    /// `counts`: the number of requests of each send; each fits in a batch.
    package static func ranges(of counts: [Int]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var (first, requests, most) = (0, 0, fewestSends)
        for (position, count) in counts.enumerated() {
            if position - first == most || position > first && requests + count > mostRequests {
                ranges.append(first..<position)
                (first, requests, most) = (position, 0, min(2 * most, mostSends))
            }
            requests += count
        }
        if first < counts.count { ranges.append(first..<counts.count) }
        return ranges
    }
}

extension ShortBatches {
    /// Divides sends into batches, in order.
    package static func ranges(of sends: [ShortSend]) -> [Range<Int>] {
        ranges(of: sends.map(\.count))
    }
}
