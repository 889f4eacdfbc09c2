import CampaignModel
package import RunControl
import State
import Synchronization

/// Shows progress on standard error.
///
/// Redraws a bar on a terminal; elsewhere, prints a line every ten seconds and at the end of each
/// phase. Sends that overlap share a bar.
///
/// A class because concurrent requests share it.
package final class ProgressView: Sendable {
    /// The kind of output.
    package enum Place: Sendable {
        /// A terminal.
        ///
        /// Its width is read before each line.
        case terminal(columns: @Sendable () -> Int)
        case stream
    }

    private struct State {
        var phases = OngoingPhases()
        var overall: (sendings: Int, begun: Int) = (0, 0)
        /// The reason and the end of a current pause.
        var pause: (wording: String, until: ContinuousClock.Instant)?
        var lastShown: ContinuousClock.Instant
        /// When the last line of an occurrence was printed to a stream.
        var lastLine: ContinuousClock.Instant
        /// Whether the terminal shows a line without a line break.
        var isDrawn = false
    }

    private let state: Mutex<State>
    private let style: TextStyle
    private let place: Place
    private let now: @Sendable () -> ContinuousClock.Instant
    private let write: @Sendable (String) -> Void
    /// More occurrences than this are numbered.
    private static let many = 4

    package init(
        style: TextStyle,
        place: Place,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        write: @escaping @Sendable (String) -> Void
    ) {
        state = Mutex(State(lastShown: now(), lastLine: now()))
        self.style = style
        self.place = place
        self.now = now
        self.write = write
    }

    package func show(_ event: ApplyEvent) {
        state.withLock { take(event, in: &$0, at: now()) }
    }

    /// Updates the display.
    ///
    /// Must be called regularly, even if no progress is made.
    package func tick() {
        state.withLock { refresh(&$0, at: now()) }
    }

    /// Prints a separate line above the redrawn line.
    package func say(_ text: String) {
        state.withLock { say(text, in: &$0, at: now()) }
    }

    /// Ends the display and leaves its last state on a separate line.
    package func end() {
        state.withLock { state in
            if state.isDrawn { write("\n") }
            state.isDrawn = false
            state.phases.removeAll()
            state.pause = nil
        }
    }

    private func take(
        _ event: ApplyEvent,
        in state: inout State,
        at now: ContinuousClock.Instant
    ) {
        switch event {
        case .sendings(let count): state.overall.sendings += count
        case .began(let phase, let total):
            if case .sending = phase { state.overall.begun += 1 }
            let isAlone = state.phases.shown == nil
            let number = state.overall.begun
            state.phases.begin(PhaseProgress(phase, total: total, number: number, at: now))
            state.pause = nil
            guard isAlone else { return refresh(&state, at: now) }
            state.lastShown = now
            draw(state.phases.shown, in: &state, at: now)
        case .progressed(let count, let kind, let occurrence):
            if count > 0 { state.pause = nil }
            state.phases.advance(by: count, kind: kind, of: occurrence, at: now)
            refresh(&state, at: now)
        case .ended(let phase):
            state.pause = nil
            finish(phase, in: &state, at: now)
        case .settles(let seconds):
            wait(seconds, wording: "for joins to settle", in: &state, at: now)
        case .pausing(let reason, let length, _):
            wait(
                max(1, length.components.seconds),
                wording: "because \(reason.wording)",
                in: &state,
                at: now
            )
        case .transportChosen(let transport, let reason):
            say(
                "\(transport.wording), because FCM answered \(TextStyle.line(reason))",
                in: &state,
                at: now
            )
        case .tokenRenewed: say("the access token was renewed", in: &state, at: now)
        case .runBegan, .request, .sent: break
        }
    }

    /// Redraws, at most once per interval.
    private func refresh(_ state: inout State, at now: ContinuousClock.Instant) {
        guard state.phases.shown != nil || state.pause != nil,
            state.lastShown.duration(to: now) >= interval
        else { return }
        state.lastShown = now
        draw(state.phases.shown, in: &state, at: now)
    }

    private var interval: Duration {
        if case .terminal = place { .milliseconds(100) } else { .seconds(10) }
    }

    /// Sets the pause.
    ///
    /// If the same pause is already shown, changes only its end.
    private func wait(
        _ seconds: Int64,
        wording: String,
        in state: inout State,
        at now: ContinuousClock.Instant
    ) {
        let isNew = state.pause?.wording != wording
        state.pause = (wording, now.advanced(by: .seconds(seconds)))
        guard isNew else { return refresh(&state, at: now) }
        state.lastShown = now
        draw(state.phases.shown, in: &state, at: now)
    }
}

// MARK: - Output

extension ProgressView {
    private func draw(
        _ phase: PhaseProgress?,
        in state: inout State,
        at now: ContinuousClock.Instant
    ) {
        let waits = waiting(in: state, at: now)
        switch place {
        case .terminal(let columns):
            let text =
                phase.map { line($0, in: state, at: now) }?
                .bar(columns: columns(), style: style, status: waits)
                ?? (waits ?? "").cut(toColumns: columns() - 1)
            write("\r\u{1B}[K" + text)
            state.isDrawn = true
        case .stream:
            if let waits { return write(waits + "\n") }
            guard let phase, phase.length(at: now) >= interval else { return }
            write(line(phase, in: state, at: now).plain + "\n")
        }
    }

    private func finish(
        _ phase: ApplyPhase,
        in state: inout State,
        at now: ContinuousClock.Instant
    ) {
        guard let phase = state.phases.end(phase) else { return }
        let line = line(phase, in: state, at: now)
        let isPassing = isPassing(phase, in: state, at: now)
        switch place {
        case .terminal(let columns):
            let bar = line.bar(columns: columns(), style: style, isLast: true)
            write("\r\u{1B}[K" + bar + (isPassing ? "" : "\n"))
            state.isDrawn = isPassing
        case .stream:
            guard !isPassing || state.lastLine.duration(to: now) >= interval else { break }
            write(line.last + "\n")
            state.lastLine = now
        }
        if let rest = state.phases.shown, case .terminal = place {
            draw(rest, in: &state, at: now)
        }
    }

    /// Whether to omit the last line of a short occurrence among many.
    private func isPassing(
        _ phase: PhaseProgress,
        in state: State,
        at now: ContinuousClock.Instant
    ) -> Bool {
        guard case .sending = phase.phase, state.overall.sendings >= Self.many else { return false }
        let isLast =
            state.overall.begun >= state.overall.sendings && state.phases.shown == nil
        return !isLast && phase.length(at: now) < .seconds(1)
    }

    private func say(_ text: String, in state: inout State, at now: ContinuousClock.Instant) {
        write((state.isDrawn ? "\r\u{1B}[K" : "") + text + "\n")
        if state.isDrawn { draw(state.phases.shown, in: &state, at: now) }
    }

    private func line(
        _ phase: PhaseProgress,
        in state: State,
        at now: ContinuousClock.Instant
    ) -> ProgressLine {
        var place: (number: Int, of: Int)?
        if case .sending = phase.phase, state.overall.sendings >= Self.many {
            place = (phase.number, state.overall.sendings)
        }
        return ProgressLine(phase, at: now, place: place)
    }

    /// For example, `waiting 12 s for joins to settle`.
    private func waiting(in state: State, at now: ContinuousClock.Instant) -> String? {
        guard let pause = state.pause, pause.until > now else { return nil }
        let left = now.duration(to: pause.until)
        let seconds = left.components.seconds + (left.components.attoseconds > 0 ? 1 : 0)
        return "waiting \(Int(seconds).seconds) \(pause.wording)"
    }
}
