import RunControl
import SystemIO

/// Handles Ctrl-C and SIGTERM: the first stops sending and lets the run finish its record, the
/// second ends the process at once.
///
/// The ledger is correct in both cases.
///
/// A class because it keeps the watch alive.
final class InterruptHandler {
    private let watch: SignalWatch

    init(_ stop: StopSignal, says message: String) {
        watch = SignalWatch {
            if stop.isRaised { CurrentProcess.exitNow(ExitReason.interrupted.rawValue) }
            Output.message("\n\(message)\n")
            stop.raise()
        }
    }

    func cancel() {
        watch.cancel()
    }
}
