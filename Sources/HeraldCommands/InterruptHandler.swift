import CampaignExecution
import Dispatch

#if canImport(Glibc)
import Glibc
#endif

/// Ctrl-C and SIGTERM: the first stops sending and lets the run end in order, the second ends the
/// process at once.
///
/// The ledger tells the truth either way.
///
/// A class because it keeps the signal sources alive.
final class InterruptHandler {
    private let sources: [any DispatchSourceSignal]

    init(_ stop: StopSignal, says message: String) {
        let queue = DispatchQueue(label: "signals")
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                if stop.isRaised { _exit(ExitReason.interrupted.rawValue) }
                Output.message("\n\(message)\n")
                stop.raise()
            }
            source.resume()
            return source
        }
    }

    func cancel() {
        for source in sources { source.cancel() }
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    }
}
