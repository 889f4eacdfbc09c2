import CampaignModel
import RunControl
import State

/// The progress of a phase: counts, rate and remaining time.
struct PhaseProgress: Sendable {
    let phase: ApplyPhase
    private(set) var total: Int
    /// The number of phases that these figures are the sum of.
    private(set) var phases = 1
    /// The position of the last of them among the sends of the run; 0 if it is no send.
    private(set) var number: Int
    private(set) var done = 0
    /// The number of results per kind.
    private(set) var counts: [ProgressKind: Int] = [:]
    private let began: ContinuousClock.Instant
    /// The number of finished items at several times in the rate window, oldest first.
    private var marks: [(moment: ContinuousClock.Instant, done: Int)]

    /// The length of the rate window.
    ///
    /// Recent work predicts the remaining time best.
    private static let window = Duration.seconds(15)
    /// The minimum time before a rate is shown.
    private static let shortest = Duration.milliseconds(500)

    init(
        _ phase: ApplyPhase,
        total: Int,
        number: Int = 0,
        at moment: ContinuousClock.Instant
    ) {
        self.phase = phase
        self.total = total
        self.number = number
        began = moment
        marks = [(moment, 0)]
    }

    mutating func advance(
        by count: Int,
        kind: ProgressKind,
        at moment: ContinuousClock.Instant
    ) {
        let before = done
        done += count
        if let last = marks.last, last.moment.duration(to: moment) >= .seconds(1) {
            let old = marks.prefix { $0.moment.duration(to: moment) > Self.window }
            marks.removeFirst(old.count)
            // After a long pause, the rate counts only the work after the pause.
            marks.append((moment, marks.isEmpty ? before : done))
        }
        counts[kind, default: 0] += count
    }

    /// Adds a phase that has just begun.
    mutating func add(_ other: PhaseProgress) {
        total += other.total
        phases += 1
        number = other.number
    }

    /// For example, `sale`, or `sending 3 campaigns`.
    var wording: String { phases == 1 ? phase.wording : "sending \(phases.grouped) campaigns" }

    func length(at moment: ContinuousClock.Instant) -> Duration { began.duration(to: moment) }

    /// The recent rate per second; nil if it is too early to tell.
    func rate(at moment: ContinuousClock.Instant) -> Double? {
        guard
            let first = marks.first(where: {
                $0.moment.duration(to: moment) >= Self.shortest
            })
        else { return nil }
        let seconds = first.moment.duration(to: moment) / .seconds(1)
        return Double(done - first.done) / seconds
    }

    /// The rate per second since the start of the phase.
    func meanRate(at moment: ContinuousClock.Instant) -> Double? {
        let length = length(at: moment)
        return length < Self.shortest ? nil : Double(done) / (length / .seconds(1))
    }

    /// The estimated remaining seconds at the recent rate; nil if unknown.
    func secondsLeft(at moment: ContinuousClock.Instant) -> Int? {
        guard let rate = rate(at: moment), rate > 0, done <= total else { return nil }
        let seconds = (Double(total - done) / rate).rounded(.up)
        return seconds < 8_640_000 ? Int(seconds) : nil
    }
}

extension ApplyPhase {
    /// The phase as text.
    var wording: String {
        switch self {
        case .leaving(let scope): "\(scope.audience) leaves \(scope.topic)"
        case .joining(let scope): "\(scope.audience) joins \(scope.topic)"
        case .reading: "reading memberships"
        case .checking: "checking registrations"
        case .sending(let occurrence): "\(occurrence.campaign)"
        }
    }

    /// The word for a kind of result in this phase.
    func word(_ kind: ProgressKind) -> String {
        switch (self, kind) {
        case (.sending, .done): "accepted"
        case (.sending, .refused): "rejected"
        case (.joining, .done): "joined"
        case (.leaving, .done): "left"
        case (.reading, .done): "read"
        case (.checking, .done): "valid"
        case (_, .refused): "refused"
        case (_, .unknown): "unknown"
        }
    }
}

extension MembershipTransport {
    /// How memberships are changed from now on, as text.
    var wording: String {
        switch self {
        case .batch: "memberships change in batches"
        case .perRegistration: "memberships change with one registration per request"
        }
    }
}

extension PauseReason {
    /// The reason for a pause, as text.
    var wording: String {
        switch self {
        case .quota: "the FCM quota is used up"
        case .outage: "FCM reports too many errors"
        case .asked: "FCM requests a delay"
        case .unreachable: "the server cannot be reached"
        case .fanOut: "another fan-out is in progress"
        }
    }
}
