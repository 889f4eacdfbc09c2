/// A request of a worker for a slice of the quota and for permits.
package struct SliceRequest: Hashable, Sendable {
    /// Raised by each request of the worker.
    package let number: Int
    /// The number of requests that the worker could send now.
    package let wanted: Int
    /// Whether FCM answered 429 since the last request.
    package let isThrottled: Bool
    /// How long the slice counts, in whole milliseconds.
    package let validity: Duration

    package init(
        number: Int,
        wanted: Int,
        isThrottled: Bool,
        validity: Duration = QuotaDivider.validity
    ) {
        self.number = number
        self.wanted = wanted
        self.isThrottled = isThrottled
        self.validity = validity
    }
}

/// What is granted to a worker.
package struct SliceAnswer: Hashable, Sendable {
    /// The request to which the slice belongs.
    package let number: Int
    /// Sends per 60 s.
    package let height: Int
    /// The permits in the row of the worker.
    package let permits: Int
    /// The number of permits that leaves an equal part to each worker that asks.
    package let share: Int
    /// The number of units that others have taken from the worker.
    package let losses: Int
    /// The occurrences whose units are given back and not claimed.
    package let recalled: Set<OccurrenceNumber>

    package init(
        number: Int,
        height: Int,
        permits: Int,
        share: Int,
        losses: Int = 0,
        recalled: Set<OccurrenceNumber> = []
    ) {
        self.number = number
        self.height = height
        self.permits = permits
        self.share = share
        self.losses = losses
        self.recalled = recalled
    }
}

/// What the writer grants to one worker.
package struct Grant: Hashable, Sendable {
    package let worker: WorkerID
    package let number: Int
    package let height: Int
    /// Permits to add to the worker's row.
    package let permits: Int
    package let share: Int

    package init(to worker: WorkerID, number: Int, height: Int, permits: Int, share: Int) {
        self.worker = worker
        self.number = number
        self.height = height
        self.permits = permits
        self.share = share
    }
}

/// Divides a quota among workers, so that the sum of all valid slices never exceeds it.
///
/// A worker counts a slice from the begin of its request, and the divider from the arrival of that
/// request, which is later. A slice therefore ends at its holder first, without a common clock.
package struct QuotaDivider: Sendable {
    /// How long a slice counts at least, by the clock of the divider.
    package static let validity = Duration.seconds(2)

    private struct Slice {
        let height: Int
        let end: Duration
    }

    /// Sends per 60 s, of which 1 % is left for bursts that were saved under earlier divisions.
    private let usable: Int
    /// Every slice that may still be valid.
    private var slices: [WorkerID: [Slice]] = [:]
    /// Slices of former dividers may be valid until then.
    private let start: Duration
    /// The part of the quota that is used, in 16ths.
    private var level = 16
    private var levelChange: Duration

    /// Divides nothing before the slices of former dividers have ended.
    ///
    /// `quota`: sends in any 60 s. `start`: when these slices have ended.
    package init(quota: Int, start: Duration) {
        usable = quota - quota / 100
        self.start = start
        levelChange = start
    }

    /// How long slices may still count, also those of former dividers.
    package func rest(at now: Duration) -> Duration {
        let ends = slices.values.joined().map(\.end)
        return max(.zero, max(start, ends.max() ?? start) - now)
    }

    /// A smaller slice would admit less than one send per second, and could end before the first one.
    private static let minimumCost = 61

    /// A slice of this height can be used up at once to this extent.
    package static func burst(of height: Int) -> Int { max(1, height / 240) }

    /// Divides the quota among the workers that ask.
    ///
    /// `requests`: those that arrived since the last division. `count`: the number of workers with a
    /// slice. `arrival`: when the requests arrived, on the clock of the divider.
    package mutating func divide(
        among requests: [(worker: WorkerID, request: SliceRequest)],
        of count: Int,
        arrival: Duration
    ) -> [WorkerID: Int] {
        adjustLevel(isThrottled: requests.contains { $0.request.isThrottled }, now: arrival)
        for (worker, old) in slices {
            let valid = old.filter { $0.end > arrival }
            slices[worker] = valid.isEmpty ? nil : valid
        }
        guard arrival >= start else { return [:] }
        var sum = slices.values.reduce(0) { $0 + Self.cost(of: $1) }
        let total = max(1, usable * level / 16)
        let maximumCount = max(1, total / Self.minimumCost)
        let part = total / min(maximumCount, max(1, count))
        let asking = requests.filter { $0.request.wanted > 0 }
            .sorted { slices[$0.worker] != nil && slices[$1.worker] == nil }
        var heights: [WorkerID: Int] = [:]
        for (worker, request) in asking {
            let old = slices[worker].map(Self.cost) ?? 0
            let room = min(part, total - (sum - old), request.wanted * 61)
            let height = Self.height(costing: room)
            guard height > 0, old > 0 || slices.count < maximumCount else { continue }
            let slice = Slice(height: height, end: arrival + request.validity)
            slices[worker, default: []].append(slice)
            sum += (slices[worker].map(Self.cost) ?? 0) - old
            heights[worker] = height
        }
        return heights
    }

    /// What a slice costs: a holder may have saved a burst before any period of 60 s.
    ///
    /// The first send of a period uses the burst, and a send takes more than 60 s of the height, so
    /// that a burst of 1 costs nothing.
    private static func cost(ofHeight height: Int) -> Int { height + burst(of: height) - 1 }

    private static func cost(of slices: [Slice]) -> Int {
        slices.map { cost(ofHeight: $0.height) }.max() ?? 0
    }

    private static func height(costing room: Int) -> Int {
        guard room > 0 else { return 0 }
        var height = room - room / 241 + 1
        while cost(ofHeight: height) > room { height -= 1 }
        return height
    }

    /// A 429 halves what all workers send; each 5 s without one adds a 16th of the quota.
    private mutating func adjustLevel(isThrottled: Bool, now: Duration) {
        if isThrottled, now - levelChange >= Self.validity || level == 16 {
            level = max(1, level / 2)
            levelChange = now
        } else if !isThrottled, level < 16, now - levelChange >= .seconds(5) {
            level += 1
            levelChange = now
        }
    }
}
