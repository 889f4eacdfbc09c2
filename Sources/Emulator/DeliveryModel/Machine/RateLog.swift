/// A limit of messages that holds in every interval of its length.
struct RateLimit: Hashable, Sendable {
    let messages: Int
    /// In milliseconds.
    let interval: Int64

    /// The limits of one Android device (Firebase documentation, Throttling and quotas).
    static let androidMinute = RateLimit(
        messages: DeliveryRules.messagesPerMinute,
        interval: 60_000
    )
    static let androidHour = RateLimit(
        messages: DeliveryRules.messagesPerHour,
        interval: 3_600_000
    )

    /// The limit of one Apple device, which APNs does not publish.
    static func apple(messagesPerMinute messages: Int) -> RateLimit {
        RateLimit(messages: messages, interval: 60_000)
    }
}

/// The times of a device's messages within the longest interval of its limits.
///
/// A message may pass when the message that is `limit` messages older is an interval old, so that no
/// interval has more than the limit. Messages of the same millisecond are one run. The newest run
/// is stored inline: a device with few messages needs no array.
package struct RateLog: Hashable, Sendable {
    /// Messages of the same time.
    package struct Run: Hashable, Sendable {
        package let at: DeliveryMoment
        package let count: Int

        package init(at moment: DeliveryMoment, count: Int) {
            at = moment
            self.count = count
        }
    }

    /// A run, with the number of the last of its messages.
    private struct Entry: Hashable, Sendable {
        var at: Int64
        var last: Int
    }

    /// Oldest first.
    private var older: [Entry] = []
    private var newest = Entry(at: .min, last: 0)
    /// The number of the last message that was discarded because of its age.
    private var discarded = 0

    init() {}

    /// Restores a log from its runs, oldest first.
    package init(_ runs: [Run]) {
        for run in runs where run.count > 0 {
            if newest.last > 0 { older.append(newest) }
            newest = Entry(
                at: max(newest.at, run.at.milliseconds),
                last: newest.last + run.count
            )
        }
    }

    /// The runs that are not discarded, oldest first.
    package var runs: [Run] {
        var last = discarded
        return (older + [newest]).compactMap { entry -> Run? in
            defer { last = entry.last }
            guard entry.last > last else { return nil }
            return Run(at: DeliveryMoment(milliseconds: entry.at), count: entry.last - last)
        }
    }

    /// Returns the earliest time, from `now` on, at which one more message is within a limit.
    func room(within limit: RateLimit, from now: DeliveryMoment) -> DeliveryMoment {
        guard let time = time(ofMessage: newest.last + 1 - limit.messages) else { return now }
        return DeliveryMoment(milliseconds: max(now.milliseconds, time + limit.interval))
    }

    /// Adds a message and discards the messages that are older than `interval`.
    mutating func add(at moment: DeliveryMoment, now: DeliveryMoment, keeping interval: Int64) {
        let time = max(newest.at, moment.milliseconds)
        let oldest = now.milliseconds - interval
        if newest.at == time {
            newest.last += 1
        } else {
            if newest.at > oldest { older.append(newest) } else { forget() }
            newest = Entry(at: time, last: newest.last + 1)
        }
        let end = firstOlder { $0.at > oldest }
        // Removing many at once keeps the cost of a message constant on average.
        guard end > 0, 2 * end > older.count else { return }
        discarded = older[end - 1].last
        older.removeFirst(end)
    }

    /// Discards all messages.
    private mutating func forget() {
        older = []
        discarded = newest.last
    }

    /// Returns the time of a message by its number, or nil if it is discarded or was never sent.
    private func time(ofMessage number: Int) -> Int64? {
        guard number > discarded, number <= newest.last else { return nil }
        let place = firstOlder { $0.last >= number }
        return place < older.count ? older[place].at : newest.at
    }

    /// Returns the first index whose entry satisfies `predicate`, or the count if none does; all
    /// entries that satisfy it come last.
    private func firstOlder(where predicate: (Entry) -> Bool) -> Int {
        var (low, high) = (0, older.count)
        while low < high {
            let middle = (low + high) / 2
            if predicate(older[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
