package import CampaignModel
package import State

/// Measures how fast requests leave, from readings of a state.
///
/// Marks rise by 1,000 requests, so that the rate is that of the last 10 s and not that between two
/// readings.
package struct SendRateMeter: Sendable {
    private struct Reading {
        let sent: [OccurrenceID: Int]
        let time: Duration
    }

    private var readings: [Reading] = []

    private static let period = Duration.seconds(10)

    package init() {}

    /// The occurrences of earlier readings that are not in `overview`, because they ended.
    package func ended(in overview: StateOverview) -> Set<OccurrenceID> {
        let known = readings.reduce(into: Set<OccurrenceID>()) { $0.formUnion($1.sent.keys) }
        return known.subtracting(overview.occurrences.map(\.id))
    }

    /// Adds a reading.
    ///
    /// - Parameters:
    ///   - overview: The occurrences that have not ended, at least.
    ///   - ended: The requests of other occurrences that may have been sent.
    ///   - time: Of the reading, on a monotonic clock.
    /// - Returns: The rates since an earlier reading; nil if there is none.
    package mutating func add(
        _ overview: StateOverview,
        ended: [OccurrenceID: Int] = [:],
        at time: Duration
    ) -> SendRates? {
        var sent = ended
        for occurrence in overview.occurrences { sent[occurrence.id] = occurrence.counts.sent }
        readings.append(Reading(sent: sent, time: time))
        // The oldest reading is as old as the period, if there is one.
        while readings.count > 2, time - readings[1].time >= Self.period { readings.removeFirst() }
        guard let first = readings.first, readings.count > 1, time > first.time else { return nil }
        let seconds = (time - first.time) / .seconds(1)
        // An occurrence without an earlier count has begun since then.
        let perMinute = sent.reduce(into: [OccurrenceID: Int]()) { rates, entry in
            let more = max(0, entry.value - (first.sent[entry.key] ?? 0))
            if more > 0 { rates[entry.key] = Int((Double(more) * 60 / seconds).rounded()) }
        }
        return SendRates(perMinute: perMinute)
    }
}

/// How fast requests leave.
package struct SendRates: Hashable, Sendable {
    /// Requests per minute of each occurrence that sends.
    package let perMinute: [OccurrenceID: Int]

    package init(perMinute: [OccurrenceID: Int]) {
        self.perMinute = perMinute
    }

    /// Requests per minute of all occurrences.
    package var sum: Int { perMinute.values.reduce(0, +) }
}

extension OverviewReader {
    /// The requests of single occurrences that may have been sent.
    package func sentRequests(
        of occurrences: Set<OccurrenceID>
    ) async throws(StateStoreError) -> [OccurrenceID: Int] {
        var sent: [OccurrenceID: Int] = [:]
        for id in occurrences {
            guard let unit = try await store.occurrence(id)?.unit else { continue }
            sent[id] = RequestCounts(unit, isAwaited: true).sent
        }
        return sent
    }
}
