import Presentation
import RunControl
import Synchronization
import SystemIO

/// Handles Ctrl-C, SIGTERM, a closed terminal and unwritable output: the first stops sending and
/// lets the run finish its record; another Ctrl-C or SIGTERM ends the process at once.
///
/// The ledger is correct in all cases.
struct InterruptHandler {
    private let stopWatching: () -> Void

    /// `hangup`: performed on SIGHUP instead of ending the command.
    init(
        _ stop: StopSignal,
        says wording: InterruptWording,
        on hangup: (@Sendable () -> Void)? = nil
    ) {
        let context = CommandContext.current
        let endings = Atomic(0)
        stopWatching = context.watchSignals { request in
            if request == .hangup, let hangup { return hangup() }
            // A closing terminal sends SIGHUP more than once, and some systems send it after SIGTERM.
            if request.isDemand {
                let earlier = endings.add(1, ordering: .relaxed).oldValue
                if earlier > 0 { CurrentProcess.exitNow(ExitReason.interrupted.rawValue) }
            }
            guard !stop.isRaised else { return }
            context.error.write("\n\(wording.text(for: request))\n")
            stop.raise()
        }
    }

    func cancel() { stopWatching() }
}

extension EndRequest {
    /// Whether a person or a supervisor asks, so that a second request means "now".
    fileprivate var isDemand: Bool { self == .interrupt || self == .termination }
}
