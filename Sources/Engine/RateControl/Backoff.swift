/// The pause after a transient failure: it doubles each time, up to a limit of failures.
///
/// The pause after a 429 is in `PaceBudget`.
package struct Backoff: Hashable, Sendable {
    /// The pause after the first failure.
    package let shortest: Duration
    /// The pause before a request with an unknown outcome is retried, and the first pause of an
    /// outage (Firebase documentation, Scaling with FCM: at least ten seconds).
    package let shortestRepeat: Duration

    package init(shortest: Duration, shortestRepeat: Duration = .seconds(10)) {
        self.shortest = shortest
        self.shortestRepeat = shortestRepeat
    }

    package static let standard = Backoff(shortest: .milliseconds(500))

    /// Give up after this many consecutive failures.
    package static let maximumFailures = 6

    /// `failures`: number of consecutive failures; at least 1.
    package func pause(after failures: Int) -> Duration { shortest * (1 << (failures - 1)) }
}
