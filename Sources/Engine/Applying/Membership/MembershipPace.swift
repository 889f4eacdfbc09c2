import FCMClient
import Planning
import RateControl
import Synchronization

/// Decides how many registrations may join or leave and when, for a whole run.
///
/// A class, because all changes of a run share the quota.
final class MembershipPace: Sendable {
    private let machine: Mutex<PaceMachine>
    private let beginning = ContinuousClock.now

    init(_ budget: PaceBudget) {
        machine = Mutex(PaceMachine(budget, seed: .random(in: 0 ... .max)))
    }

    /// Time since the start of the run.
    var now: Duration { beginning.duration(to: .now) }

    /// Whether to give up, because FCM keeps refusing.
    var isRefusedForGood: Bool { machine.withLock(\.isRefusedForGood) }

    func sleep(until moment: Duration) async {
        try? await Task.sleep(until: beginning.advanced(by: moment), clock: .continuous)
    }

    func take(upTo wanted: Int, now: Duration) -> Int {
        machine.withLock { $0.take(upTo: wanted, now: now) }
    }

    func next(for count: Int, now: Duration) -> Duration? {
        machine.withLock { $0.next(for: count, now: now) }
    }

    func pauseEnd(now: Duration) -> Duration? { machine.withLock { $0.pauseEnd(now: now) } }

    func accepted(_ count: Int, now: Duration) {
        machine.withLock { $0.accepted(count, now: now) }
    }

    func throttled(_ count: Int, retryAfter: Duration?, now: Duration) {
        machine.withLock { $0.throttled(count, retryAfter: retryAfter, now: now) }
    }

    func failed(retryAfter: Duration?, now: Duration) {
        machine.withLock { $0.failed(retryAfter: retryAfter, now: now) }
    }
}
