import FCMClient
import Planning
import RateControl
import StoreConformance

/// Simulates membership changes against a quota in virtual time, as in an apply.
///
/// A request has one registration or a batch, and there are always more members to join.
struct MembershipPlay {
    private struct Flight {
        let arrival: Double
        let answer: Double
        let count: Int
    }

    private let lanes: Int
    private let size: Int
    private let latency: ClosedRange<Double>
    private let namesTime: Bool
    private let perSecond: Double
    var firstRefusals = FirstRefusals(pauses: 0)
    private var machine: PaceMachine
    private var server: QuotaServer
    private var generator: SeededGenerator
    private var flights: [Flight] = []
    private var now = 0.0
    /// The end of the longest pause that an answer requested.
    private var asked = 0.0
    private(set) var accepted: [(at: Double, count: Int)] = []
    private(set) var refused: [(at: Double, count: Int)] = []
    /// Number of requests before a requested time.
    private(set) var tooEarly = 0

    /// `latency`: the time between a request and its answer; the server receives the request after
    /// half of it.
    init(
        _ budget: PaceBudget,
        _ model: QuotaModel,
        latency: ClosedRange<Double>,
        namesTime: Bool,
        seed: UInt64
    ) {
        machine = PaceMachine(budget, seed: seed)
        server = QuotaServer(model)
        (size, lanes) = (budget.largest, budget.largest == 1 ? 100 : 10)
        (self.latency, self.namesTime) = (latency, namesTime)
        perSecond = model.perSecond
        generator = SeededGenerator(seed: seed)
    }

    mutating func run(until end: Double) {
        while now < end {
            land()
            let turn = depart()
            let answer = flights.map(\.answer).min() ?? .infinity
            now = max(min(answer, turn), now + 1e-6)
        }
    }

    /// Sends what is allowed, and returns when more is allowed.
    private mutating func depart() -> Double {
        while flights.count < lanes {
            if let turn = machine.next(for: size, now: .seconds(now)) {
                // Real wake-ups are never exactly on time.
                return turn / .seconds(1) + .random(in: 1e-9...0.002, using: &generator)
            }
            if now < asked { tooEarly += 1 }
            let count = machine.take(upTo: size, now: .seconds(now))
            let length = Double.random(in: latency, using: &generator)
            let flight = Flight(arrival: now + length / 2, answer: now + length, count: count)
            flights.append(flight)
        }
        return .infinity
    }

    /// Answers due requests; the server sees requests in the order of their answers.
    private mutating func land() {
        let due = flights.filter { $0.answer <= now }.sorted { $0.arrival < $1.arrival }
        flights.removeAll { $0.answer <= now }
        for flight in due {
            let isPaused = machine.pauseEnd(now: .seconds(now)) != nil
            let isRefused = firstRefusals.refuse(isPaused: isPaused)
            if let wait = isRefused ? 1 : server.take(flight.count, at: flight.arrival) {
                refused.append((flight.arrival, flight.count))
                let delay: Duration? = namesTime ? .seconds(wait) : nil
                machine.throttled(flight.count, retryAfter: delay, now: .seconds(now))
                asked = max(asked, now + Double(namesTime ? wait : 1))
            } else {
                accepted.append((flight.arrival, flight.count))
                machine.accepted(flight.count, now: .seconds(now))
            }
        }
    }

    /// Returns the seconds from the arrival of the first accepted request until this number of
    /// registrations has arrived in accepted requests; nil if fewer have.
    func time(toAccept count: Int) -> Double? {
        let sorted = accepted.sorted { $0.at < $1.at }
        var sum = 0
        for request in sorted {
            sum += request.count
            if sum >= count { return request.at - sorted[0].at }
        }
        return nil
    }

    /// Returns the share of the quota that was used between two times.
    func use(from start: Double, to end: Double) -> Double {
        Double(Self.sum(accepted, start, end)) / (perSecond * (end - start))
    }

    /// Returns the share of refused requests between two times.
    func refusals(from start: Double, to end: Double) -> Double {
        let bad = Self.sum(refused, start, end)
        return Double(bad) / Double(max(1, bad + Self.sum(accepted, start, end)))
    }

    private static func sum(
        _ counts: [(at: Double, count: Int)],
        _ start: Double,
        _ end: Double
    ) -> Int {
        counts.reduce(0) { $1.at >= start && $1.at < end ? $0 + $1.count : $0 }
    }
}
