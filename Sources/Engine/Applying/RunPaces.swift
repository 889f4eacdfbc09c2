import CampaignModel
import Planning
import Synchronization

/// The pace of one run's sends, and the slots of its fan-outs.
///
/// A class, because all sendings of a run share them.
final class RunPaces: Sendable {
    private struct State {
        var sends: PaceMachine
        var slots: FanOutSlots
    }

    private let state: Mutex<State>
    /// Zero of the clock that the pace and the slots go by.
    private let beginning = ContinuousClock.now

    init(_ pace: Pace) {
        let sends = PaceMachine(.sends(pace), seed: .random(in: 0 ... .max))
        state = Mutex(State(sends: sends, slots: FanOutSlots(pace)))
    }

    var now: Duration { beginning.duration(to: .now) }

    /// Of messages; one sending at a time takes it and gives it back.
    var sends: PaceMachine {
        get { state.withLock(\.sends) }
        set { state.withLock { $0.sends = newValue } }
    }

    func slots<Value>(_ body: (inout FanOutSlots, _ now: Duration) -> Value) -> Value {
        state.withLock { body(&$0.slots, now) }
    }
}
