package import CampaignExecution
import CampaignModel
import CampaignState
import Synchronization

/// Progress on standard error: a bar that is redrawn on a terminal, elsewhere a line every ten
/// seconds.
///
/// A class because the answers of many requests report to it.
package final class ProgressView: Sendable {
    private struct State {
        var label = ""
        var total = 0
        var done = 0
        var began: ContinuousClock.Instant
        var lastShown: ContinuousClock.Instant
    }

    private let state: Mutex<State>
    private let style: TextStyle
    private let isTerminal: Bool
    private let now: @Sendable () -> ContinuousClock.Instant
    private let write: @Sendable (String) -> Void
    private static let barWidth = 20

    package init(
        style: TextStyle,
        isTerminal: Bool,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        write: @escaping @Sendable (String) -> Void
    ) {
        state = Mutex(State(began: now(), lastShown: now()))
        self.style = style
        self.isTerminal = isTerminal
        self.now = now
        self.write = write
    }

    package func show(_ event: ApplyEvent) {
        let text = state.withLock { state -> String? in
            let now = now()
            switch event {
            case .began(let phase, let total):
                state = State(label: phase.words, total: total, began: now, lastShown: now)
                return isTerminal ? bar(state, now) : nil
            case .progressed(let count, _):
                state.done += count
                guard state.lastShown.duration(to: now) >= interval else { return nil }
                state.lastShown = now
                return isTerminal ? bar(state, now) : line(state)
            case .ended: return isTerminal ? bar(state, now) + "\n" : nil
            case .settles(let seconds): return settling(seconds, &state, now)
            case .runBegan, .pausing, .request, .tokenRenewed, .sent: return nil
            }
        }
        if let text { write(text) }
    }

    private var interval: Duration { isTerminal ? .milliseconds(100) : .seconds(10) }

    /// At the beginning, then as often as anything else.
    private func settling(
        _ seconds: Int64,
        _ state: inout State,
        _ now: ContinuousClock.Instant
    ) -> String? {
        let label = "settling"
        guard state.label != label || state.lastShown.duration(to: now) >= interval else {
            return nil
        }
        state = State(label: label, began: now, lastShown: now)
        let text = "waiting \(seconds) s for joins to settle"
        return isTerminal ? "\r\u{1B}[K" + text : text + "\n"
    }

    private func line(_ state: State) -> String {
        "\(state.label): \(state.done.grouped) of \(state.total.grouped)\n"
    }

    private func bar(_ state: State, _ now: ContinuousClock.Instant) -> String {
        let share = state.total == 0 ? 1 : Double(state.done) / Double(state.total)
        let filled = min(Self.barWidth, Int(share * Double(Self.barWidth)))
        let bar =
            String(repeating: "█", count: filled)
            + String(repeating: "░", count: Self.barWidth - filled)
        let seconds = state.began.duration(to: now) / .seconds(1)
        let rate = seconds > 0.5 ? ", \(Int(Double(state.done) / seconds).grouped)/s" : ""
        return "\r\u{1B}[K\(state.label.padded(to: 30)) \(style.paint(bar, .good)) "
            + "\(state.done.grouped)/\(state.total.grouped)\(rate)"
    }
}

extension ApplyPhase {
    fileprivate var words: String {
        switch self {
        case .leaving(let scope): "\(scope.audience) leaves \(scope.topic)"
        case .joining(let scope): "\(scope.audience) joins \(scope.topic)"
        case .reading: "reading memberships"
        case .sending(let occurrence): "\(occurrence.campaign)"
        }
    }
}
