import DeliveryModel

/// Computes when each send reaches each recipient.
///
/// A fan-out waits for a Herald fan-out permit. All running fan-outs share the FCM rate equally.
/// Requests to lists are sequential, at the pace of the quota, one list after another.
struct FanOutSchedule: Sendable {
    /// The progress of one send over time.
    struct Course: Sendable {
        /// Segments of constant rate, earliest first.
        fileprivate(set) var stretches: [Stretch] = []
        fileprivate(set) var start: DeliveryMoment
        fileprivate(set) var end: DeliveryMoment

        /// Returns the time when the send reaches a recipient, whose number is counted from 0.
        func moment(of number: Int) -> DeliveryMoment {
            let stretch = stretches.last { $0.first <= number } ?? stretches.first
            guard let stretch else { return start }
            let span = Double(number - stretch.first) / stretch.rate
            return DeliveryMoment(milliseconds: stretch.start.milliseconds + Int64(span))
        }
    }

    struct Stretch: Hashable, Sendable {
        let start: DeliveryMoment
        /// The number of the segment's first recipient.
        let first: Int
        /// Recipients per millisecond.
        let rate: Double
    }

    private let slots: Int
    /// Recipients per millisecond.
    private let fanOutRate: Double
    private let requestRate: Double

    init(_ pace: SimulatedPace) {
        slots = max(1, pace.fanOuts)
        fanOutRate = Double(max(1, pace.fanOutRate)) / 1_000
        requestRate = Double(max(1, pace.sendsPerMinute)) / 60_000
    }

    /// Returns the progress of each send over time, given the numbers of recipients in `counts`.
    func courses(of sends: [SimulatedSend], counts: [Int]) -> [Course] {
        var courses = sends.map { Course(start: $0.due, end: $0.due) }
        let order = sends.indices.sorted { (sends[$0].due, $0) < (sends[$1].due, $1) }
        place(order.filter { sends[$0].audience.isFanOut }, counts: counts, into: &courses)
        var free = DeliveryMoment(milliseconds: .min)
        for index in order where !sends[index].audience.isFanOut {
            let start = max(free, sends[index].due)
            let stretch = Stretch(start: start, first: 0, rate: requestRate)
            free = start.advanced(by: Double(counts[index]) / requestRate)
            courses[index] = Course(stretches: [stretch], start: start, end: free)
        }
        return courses
    }

    /// A running fan-out.
    private struct Running {
        let index: Int
        var done: Double
        let count: Double
    }

    private func place(_ order: [Int], counts: [Int], into courses: inout [Course]) {
        var waiting = order[...]
        var running: [Running] = []
        var now = DeliveryMoment(milliseconds: .min)
        while !waiting.isEmpty || !running.isEmpty {
            if running.isEmpty, let next = waiting.first { now = max(now, courses[next].start) }
            while running.count < slots, let next = waiting.first, courses[next].start <= now {
                waiting.removeFirst()
                courses[next].start = now
                running.append(Running(index: next, done: 0, count: Double(counts[next])))
            }
            let rate = fanOutRate / Double(running.count)
            for fanOut in running {
                courses[fanOut.index].stretches.append(
                    Stretch(start: now, first: Int(fanOut.done.rounded(.up)), rate: rate)
                )
            }
            let joining = running.count < slots ? waiting.first.map { courses[$0].start } : nil
            let ending = running.map { ($0.count - $0.done) / rate }.min() ?? 0
            var until = now.advanced(by: ending)
            if let joining, joining < until { until = joining }
            let passed = Double(until.milliseconds - now.milliseconds)
            for place in running.indices { running[place].done += passed * rate }
            now = until
            for fanOut in running where fanOut.done >= fanOut.count {
                courses[fanOut.index].end = now
            }
            running.removeAll { $0.done >= $0.count }
        }
    }
}

/// The rates of requests and fan-outs.
package struct SimulatedPace: Hashable, Sendable {
    /// Number of requests that Herald makes per minute.
    package let sendsPerMinute: Int
    /// Maximum number of fan-outs that Herald runs at once.
    package let fanOuts: Int
    /// Number of devices per second that FCM reaches in all fan-outs together.
    ///
    /// About 10,000 is usual and not guaranteed (Firebase documentation, Throttling and quotas).
    package let fanOutRate: Int

    package init(sendsPerMinute: Int, fanOuts: Int, fanOutRate: Int) {
        self.sendsPerMinute = sendsPerMinute
        self.fanOuts = fanOuts
        self.fanOutRate = fanOutRate
    }
}

extension DeliveryMoment {
    /// Returns a later time, rounded up so that time always advances.
    fileprivate func advanced(by milliseconds: Double) -> DeliveryMoment {
        DeliveryMoment(milliseconds: self.milliseconds + Int64(milliseconds.rounded(.up)))
    }
}
