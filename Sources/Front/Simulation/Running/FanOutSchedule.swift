import DeliveryModel

/// When each recipient of each send is reached.
///
/// A fan-out waits for one of the slots that Herald keeps; those that run share FCM's rate evenly.
/// The requests to a list go one after the other at the pace of the quota, list after list.
struct FanOutSchedule: Sendable {
    /// How one send goes on.
    struct Course: Sendable {
        /// Stretches of even speed, the earliest first.
        fileprivate(set) var stretches: [Stretch] = []
        fileprivate(set) var start: DeliveryMoment
        fileprivate(set) var end: DeliveryMoment

        /// When the recipient with this number, counted from 0, is reached.
        func moment(of number: Int) -> DeliveryMoment {
            let stretch = stretches.last { $0.first <= number } ?? stretches.first
            guard let stretch else { return start }
            let span = Double(number - stretch.first) / stretch.rate
            return DeliveryMoment(milliseconds: stretch.start.milliseconds + Int64(span))
        }
    }

    struct Stretch: Hashable, Sendable {
        let start: DeliveryMoment
        /// The number of the first recipient in it.
        let first: Int
        /// Recipients a millisecond.
        let rate: Double
    }

    private let slots: Int
    /// A millisecond.
    private let fanOutRate: Double
    private let requestRate: Double

    init(_ pace: SimulatedPace) {
        slots = max(1, pace.fanOuts)
        fanOutRate = Double(max(1, pace.fanOutRate)) / 1_000
        requestRate = Double(max(1, pace.sendsPerMinute)) / 60_000
    }

    /// `counts`: recipients of each of the sends.
    func courses(of sends: [SimulatedSend], counts: [Int]) -> [Course] {
        var courses = sends.map { Course(start: $0.due, end: $0.due) }
        let order = sends.indices.sorted { (sends[$0].due, $0) < (sends[$1].due, $1) }
        place(order.filter { sends[$0].audience.isFanOut }, counts, &courses)
        var free = DeliveryMoment(milliseconds: .min)
        for index in order where !sends[index].audience.isFanOut {
            let start = max(free, sends[index].due)
            let stretch = Stretch(start: start, first: 0, rate: requestRate)
            free = start.advanced(by: Double(counts[index]) / requestRate)
            courses[index] = Course(stretches: [stretch], start: start, end: free)
        }
        return courses
    }

    /// One that runs.
    private struct Running {
        let index: Int
        var done: Double
        let count: Double
    }

    private func place(_ order: [Int], _ counts: [Int], _ courses: inout [Course]) {
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

/// How fast messages leave and spread.
package struct SimulatedPace: Hashable, Sendable {
    /// Requests a minute that Herald makes.
    package let sendsPerMinute: Int
    /// Fan-outs that Herald lets run at once.
    package let fanOuts: Int
    /// Devices a second that FCM reaches, in all fan-outs together: about 10,000 are usual, not
    /// promised (Firebase documentation, Throttling and quotas).
    package let fanOutRate: Int

    package init(sendsPerMinute: Int, fanOuts: Int, fanOutRate: Int) {
        self.sendsPerMinute = sendsPerMinute
        self.fanOuts = fanOuts
        self.fanOutRate = fanOutRate
    }
}

extension DeliveryMoment {
    /// Rounded up, so that time goes on.
    fileprivate func advanced(by milliseconds: Double) -> DeliveryMoment {
        DeliveryMoment(milliseconds: self.milliseconds + Int64(milliseconds.rounded(.up)))
    }
}
