import FCMClient
import Planning
import RateControl

/// An FCM quota, as a server applies it.
enum QuotaModel {
    /// Reset one minute after its first message, as in FCM's documentation.
    case window(limit: Int)
    /// Refills evenly, up to a capacity.
    case even(perSecond: Double, capacity: Double)
    /// Reset one second after its first request.
    case second(limit: Int)

    var perSecond: Double {
        switch self {
        case .second(let limit): Double(limit)
        case .window(let limit): Double(limit) / 60
        case .even(let rate, _): rate
        }
    }
}

struct QuotaServer {
    var model: QuotaModel
    private var end = 0.0
    private var used = 0
    private var saved: Double
    private var asOf = 0.0

    init(_ model: QuotaModel) {
        self.model = model
        if case .even(_, let capacity) = model { saved = capacity } else { saved = 0 }
    }

    /// Returns the seconds to wait, or nil if everything is accepted.
    mutating func take(_ count: Int = 1, at now: Double) -> Int? {
        switch model {
        case .second(let limit):
            if now >= end { (end, used) = (max(now, end + (now - end).rounded(.down)) + 1, 0) }
            guard used + count <= limit else { return 1 }
            used += count
        case .window(let limit):
            if now >= end { (end, used) = (now + 60, 0) }
            guard used + count <= limit else { return Int((end - now).rounded(.up)) }
            used += count
        case .even(let rate, let capacity):
            saved = min(capacity, saved + rate * (now - asOf))
            asOf = now
            guard saved >= Double(count) else {
                return max(1, Int((Double(count) / rate).rounded(.up)))
            }
            saved -= Double(count)
        }
        return nil
    }
}

/// Refuses everything until a machine has paused a number of times.
struct FirstRefusals {
    private var left: Int

    init(pauses: Int) {
        left = pauses
    }

    /// `isPaused`: whether the machine is in a pause when it receives the answer.
    mutating func refuse(isPaused: Bool) -> Bool {
        if !isPaused { left -= 1 }
        return left >= 0
    }
}

/// Simulates a `PaceMachine` against a quota in virtual time; it always sends as much as it may.
struct PacePlay {
    private struct Flight {
        let arrival: Double
        let answer: Double
    }

    let open: Int
    /// The time between a request and its answer; the server receives the request after half of it.
    let latency: Double
    /// Whether the server names a time.
    var namesTime = true
    var firstRefusals = FirstRefusals(pauses: 0)
    private var machine: PaceMachine
    private var server: QuotaServer
    private var model: QuotaModel
    private var flights: [Flight] = []
    private var landed = 0
    private(set) var accepted: [Double] = []
    private(set) var refused: [Double] = []
    /// Number of requests before a requested time.
    private(set) var tooEarly = 0
    private var asked = 0.0
    private var now = 0.0

    init(_ budget: PaceBudget, _ model: QuotaModel, open: Int, latency: Double, seed: UInt64) {
        self.open = open
        self.latency = latency
        self.model = model
        machine = PaceMachine(budget, seed: seed)
        server = QuotaServer(model)
    }

    /// Continues with another quota.
    mutating func raise(to model: QuotaModel) {
        self.model = model
        server.model = model
    }

    mutating func run(until end: Double) {
        while now < end {
            land(now)
            let count = machine.take(upTo: open - (flights.count - landed), now: .seconds(now))
            for _ in 0..<count {
                if now < asked { tooEarly += 1 }
                flights.append(Flight(arrival: now + latency / 2, answer: now + latency))
            }
            now = next(now)
        }
    }

    /// Answers due requests in the order of their departure.
    private mutating func land(_ now: Double) {
        while landed < flights.count, flights[landed].answer <= now {
            let flight = flights[landed]
            landed += 1
            let isPaused = machine.pauseEnd(now: .seconds(now)) != nil
            let isRefused = firstRefusals.refuse(isPaused: isPaused)
            if let wait = isRefused ? 1 : server.take(at: flight.arrival) {
                refused.append(flight.arrival)
                let delay: Duration? = namesTime ? .seconds(wait) : nil
                machine.throttled(1, retryAfter: delay, now: .seconds(now))
                asked = max(asked, now + (namesTime ? Double(wait) : 60))
            } else {
                accepted.append(flight.arrival)
                machine.accepted(1, now: .seconds(now))
            }
        }
    }

    private func next(_ now: Double) -> Double {
        let room = open - (flights.count - landed)
        let answer = landed < flights.count ? flights[landed].answer : .infinity
        guard room > 0 else { return answer }
        let stroke = min(room, machine.stroke(now: .seconds(now)))
        // The conversion from seconds to a duration rounds: never wake up before the duration.
        let turn = machine.next(for: stroke, now: .seconds(now)).map { $0 / .seconds(1) + 1e-9 }
        return max(min(answer, turn ?? now), now)
    }

    /// Returns the share of the quota that was used between two times.
    func use(from start: Double, to end: Double) -> Double {
        let count = accepted.count { $0 >= start && $0 < end }
        return Double(count) / (model.perSecond * (end - start))
    }

    /// Returns the share of refused requests between two times.
    func refusals(from start: Double, to end: Double) -> Double {
        let bad = refused.count { $0 >= start && $0 < end }
        let good = accepted.count { $0 >= start && $0 < end }
        return Double(bad) / Double(max(1, bad + good))
    }
}
