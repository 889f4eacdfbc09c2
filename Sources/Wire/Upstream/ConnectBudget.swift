/// Allows a number of connects within any 60 seconds.
struct ConnectBudget: Hashable, Sendable {
    private let limit: Int
    /// When the connects of the last minute started, the oldest first, from `first` on.
    private var starts: [Duration] = []
    private var first = 0

    private static let window = Duration.seconds(60)

    init(limit: Int) {
        self.limit = limit
    }

    /// The earliest time from `now` on at which a connect may start.
    func next(from now: Duration) -> Duration {
        guard starts.count - first >= limit else { return now }
        return max(now, starts[starts.count - limit] + Self.window)
    }

    mutating func spend(at now: Duration) {
        starts.append(now)
        while starts[first] + Self.window <= now { first += 1 }
        guard first > limit else { return }
        starts.removeFirst(first)
        first = 0
    }
}

/// The pause before another attempt, which doubles with each failure.
struct ReconnectPause: Hashable, Sendable {
    private static let shortest = Duration.seconds(1)
    private static let longest = Duration.seconds(64)
    /// The shortest pause if an operator has to change something.
    private static let forOperator = Duration.seconds(32)

    /// Computes the pause.
    ///
    /// `failures`: consecutive failures, at least 1. `share`: a random number from 0 to 1, so that
    /// many connections do not return at the same time.
    static func after(failures: Int, needsOperator: Bool, share: Double) -> Duration {
        let doubled = shortest * (1 << min(failures - 1, 6))
        let full = min(longest, max(doubled, needsOperator ? forOperator : .zero))
        return full * (0.5 + share / 2)
    }
}
