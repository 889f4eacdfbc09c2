import CampaignModel
import Planning
import RateControl
import Synchronization

/// The pace of one run's sends, and its fan-out permits.
///
/// A class, because all occurrences of a run share them.
final class RunPaces: Sendable {
    private struct State {
        var sends: PaceMachine
        var slots: FanOutPermits
    }

    private let state: Mutex<State>
    /// Time zero for the pace and the permits.
    private let beginning = ContinuousClock.now

    init(_ pace: Pace) {
        let sends = PaceMachine(.sends(pace), seed: .random(in: 0 ... .max))
        state = Mutex(State(sends: sends, slots: FanOutPermits(pace)))
    }

    var now: Duration { beginning.duration(to: .now) }

    /// The pace of messages; one occurrence at a time takes it and returns it.
    var sends: PaceMachine {
        get { state.withLock(\.sends) }
        set { state.withLock { $0.sends = newValue } }
    }

    func slots<Value>(_ body: (inout FanOutPermits, _ now: Duration) -> Value) -> Value {
        state.withLock { body(&$0.slots, now) }
    }
}
