/// How long to wait after a failure that may pass: twice as long each time, until it is for a
/// person to look.
package struct Backoff: Hashable, Sendable {
    /// The pause after the first failure.
    package let shortest: Duration
    /// The pause before a request is repeated that FCM may have taken, and the first of an outage
    /// (Firebase documentation, Scaling with FCM: not sooner than ten seconds).
    package let shortestRepeat: Duration

    package init(shortest: Duration, shortestRepeat: Duration = .seconds(10)) {
        self.shortest = shortest
        self.shortestRepeat = shortestRepeat
    }

    package static let standard = Backoff(shortest: .milliseconds(500))

    /// So many failures in a row end the waiting.
    package static let maximumFailures = 6

    /// `failures`: how many there were in a row; at least 1.
    func pause(after failures: Int) -> Duration { shortest * (1 << (failures - 1)) }
}
