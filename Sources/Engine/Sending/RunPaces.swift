package import CampaignModel
import Planning
package import RateControl
package import RunControl
package import State
import Synchronization
package import Time

/// The flows of one run's requests, and its fan-out permits.
///
/// A class, because all occurrences of a run share them.
package final class RunPaces: Sendable {
    private struct State {
        var sends: SharedSends
        var memberships: RequestFlow?
        var slots: FanOutPermits
    }

    private let state: Mutex<State>
    let pauses = SharedPauses()
    /// The clock of the pace and the permits.
    package let clock = RunClock()

    package init(_ pace: Pace) {
        let sends = SharedSends(RequestFlow(.sends(pace)))
        state = Mutex(State(sends: sends, slots: FanOutPermits(pace)))
    }

    package var now: Duration { clock.now }

    /// The flow of messages, which the occurrences use in turn.
    package var sends: RequestFlow {
        get { state.withLock(\.sends.flow) }
        set { state.withLock { $0.sends.flow = newValue } }
    }

    /// Calls `body` with what the occurrences share, and the time.
    ///
    /// The times of successive calls never go back.
    func share<Value: Sendable>(
        _ body: (inout SharedSends, _ now: Duration) -> Value
    ) -> Value {
        state.withLock { body(&$0.sends, now) }
    }

    /// The flow of joins and leaves; nil before the first.
    package var memberships: RequestFlow? {
        get { state.withLock(\.memberships) }
        set { state.withLock { $0.memberships = newValue } }
    }

    /// What the run measured of each kind of requests that it sent.
    package func measurements(at moment: Instant) -> [TrafficMeasurement] {
        [
            sends.measurement(of: .sends, at: moment),
            memberships?.measurement(of: .memberships, at: moment),
        ]
        .compactMap(\.self)
    }

    package func slots<Value>(_ body: (inout FanOutPermits, _ now: Duration) -> Value) -> Value {
        state.withLock { body(&$0.slots, now) }
    }
}

extension RequestFlow {
    /// Nil before the first answer.
    fileprivate func measurement(
        of kind: TrafficMeasurement.Kind,
        at moment: Instant
    ) -> TrafficMeasurement? {
        roundTrip.map {
            TrafficMeasurement(of: kind, roundTrip: $0, rate: pace.sustained, at: moment)
        }
    }
}
