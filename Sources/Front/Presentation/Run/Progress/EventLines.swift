package import Applying
import CampaignModel
import FCMClient
import JSON
import Memberships
package import Planning
package import RunControl
import Sending
import State
import Synchronization
package import Time

/// Writes the events of an apply for programs, one JSON object per line.
///
/// A class because concurrent requests share it.
package final class EventLines: Sendable {
    private struct State {
        var phases = OngoingPhases()
        /// When a line about each phase in progress was last written.
        var shown: [ApplyPhase: ContinuousClock.Instant] = [:]
        var lastSettling: ContinuousClock.Instant
    }

    private let state: Mutex<State>
    private let clock: WallClock
    private let now: @Sendable () -> ContinuousClock.Instant
    private let write: @Sendable (String) -> Void

    package init(
        clock: WallClock,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        write: @escaping @Sendable (String) -> Void
    ) {
        state = Mutex(State(lastSettling: now()))
        self.clock = clock
        self.now = now
        self.write = write
    }

    /// Reports the plan before it is applied.
    package func show(_ plan: Plan) {
        write(EventJSON.SummarizedPlan(plan), as: EventJSON.plan)
    }

    package func show(_ event: ApplyEvent) {
        state.withLock { take(event, in: &$0, at: now()) }
    }

    /// Writes the last line, even if nothing was done.
    package func end(_ report: ApplyReport?, exitCode: Int32, error: String?) {
        let result = EventJSON.Result(report: report, exitCode: exitCode, error: error)
        write(result, as: EventJSON.result)
    }

    private func take(
        _ event: ApplyEvent,
        in state: inout State,
        at now: ContinuousClock.Instant
    ) {
        switch event {
        case .runBegan(let run): write(run, as: EventJSON.runBegan)
        case .sendings: break
        case .began(let phase, let total):
            let progress = PhaseProgress(phase, total: total, at: now)
            state.phases.begin(progress)
            state.shown[phase] = now
            write(progress, as: EventJSON.phaseBegan)
        case .progressed(let count, let kind, let occurrence):
            state.phases.advance(by: count, kind: kind, of: occurrence, at: now)
            guard let progress = state.phases.phase(of: occurrence),
                let shown = state.shown[progress.phase], shown.duration(to: now) >= .seconds(1)
            else { return }
            state.shown[progress.phase] = now
            write(EventJSON.Progress(phase: progress, now: now), as: EventJSON.phaseProgressed)
        case .ended(let phase):
            state.shown[phase] = nil
            guard let progress = state.phases.end(phase) else { return }
            write(EventJSON.Progress(phase: progress, now: now), as: EventJSON.phaseEnded)
        case .settles(let seconds):
            guard state.lastSettling.duration(to: now) >= .seconds(1) else { return }
            state.lastSettling = now
            write(seconds, as: EventJSON.settling)
        case .pausing(let reason, let length, let occurrence):
            let pause = EventJSON.Pause(reason: reason, length: length, occurrence: occurrence)
            write(pause, as: EventJSON.pausing)
        case .transportChosen(let transport, let reason):
            write(.transportChosen(transport, because: reason), as: EventJSON.note)
        case .tokenRenewed: write(.tokenRenewed, as: EventJSON.note)
        case .request(let note): write(note, as: EventJSON.request)
        case .sent(let report): write(report, as: EventJSON.sending)
        }
    }

    private func write<Content>(
        _ content: Content,
        as event: JSONDefinition<EventJSON.Line<Content>>
    ) {
        let line = EventJSON.Line(at: clock.now(), content: content)
        write(JSONValue.object(event.shape.json(of: line)).compactText + "\n")
    }
}
