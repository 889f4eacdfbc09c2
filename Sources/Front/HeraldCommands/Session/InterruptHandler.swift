import Presentation
import RunControl
import SystemIO

/// Handles Ctrl-C and SIGTERM: the first stops sending and lets the run finish its record, the
/// second ends the process at once.
///
/// The ledger is correct in both cases.
struct InterruptHandler {
    private let stopWatching: () -> Void

    init(_ stop: StopSignal, says wording: InterruptWording) {
        let context = CommandContext.current
        stopWatching = context.watchSignals {
            if stop.isRaised { CurrentProcess.exitNow(ExitReason.interrupted.rawValue) }
            context.error.write("\n\(wording.text)\n")
            stop.raise()
        }
    }

    func cancel() { stopWatching() }
}
