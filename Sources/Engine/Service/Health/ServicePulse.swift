/// Whether the loop of a service still makes progress, on a clock that never jumps.
///
/// Each sign of progress says within which time the next one comes.
package struct ServicePulse: Hashable, Sendable {
    private var deadline: Duration
    private var last: Duration

    /// For a wait that looks at the state once a second.
    package static let whileWaiting = Duration.seconds(60)
    /// For reading the state, planning, and connecting; the time limits of locks and requests are
    /// added.
    package static let whileWorking = Duration.seconds(600)
    /// For what follows an announced pause.
    package static let afterPause = Duration.seconds(120)

    package init(at now: Duration) {
        last = now
        deadline = now + Self.whileWorking
    }

    /// A sign of progress; the next one comes within `allowance`.
    ///
    /// An earlier, longer allowance ends with it, unless `extends`.
    package mutating func beat(at now: Duration, allowing allowance: Duration) {
        last = now
        deadline = now + allowance
    }

    /// A sign of progress that leaves a longer allowance as it is.
    package mutating func extend(at now: Duration, allowing allowance: Duration) {
        last = now
        deadline = max(deadline, now + allowance)
    }

    package func isAlive(at now: Duration) -> Bool { now <= deadline }

    /// How long ago the last sign of progress was.
    package func silence(at now: Duration) -> Duration { now - last }
}
