/// Monotonic time since the start of a run's work.
package struct RunClock: Sendable {
    private let beginning = ContinuousClock.now

    package init() {}

    package var now: Duration { beginning.duration(to: .now) }

    /// Returns at this time and never early, unless the task is cancelled.
    package func sleep(until time: Duration) async {
        while now < time, !Task.isCancelled { try? await Task.sleep(for: time - now) }
    }
}
