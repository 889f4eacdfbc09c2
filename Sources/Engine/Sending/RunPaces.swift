package import CampaignModel
import Planning
package import RateControl
package import RunControl
import Synchronization

/// The pace of one run's sends, and its fan-out permits.
///
/// A class, because all occurrences of a run share them.
package final class RunPaces: Sendable {
    private struct State {
        var sends: PaceMachine
        var slots: FanOutPermits
    }

    private let state: Mutex<State>
    /// The clock of the pace and the permits.
    package let clock = RunClock()

    package init(_ pace: Pace) {
        let sends = PaceMachine(.sends(pace), seed: .random(in: 0 ... .max))
        state = Mutex(State(sends: sends, slots: FanOutPermits(pace)))
    }

    package var now: Duration { clock.now }

    /// The pace of messages; one occurrence at a time takes it and returns it.
    package var sends: PaceMachine {
        get { state.withLock(\.sends) }
        set { state.withLock { $0.sends = newValue } }
    }

    package func slots<Value>(_ body: (inout FanOutPermits, _ now: Duration) -> Value) -> Value {
        state.withLock { body(&$0.slots, now) }
    }
}
