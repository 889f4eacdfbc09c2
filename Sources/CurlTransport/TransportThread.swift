internal import CLibCurl
internal import HTTPTransport

/// The thread of one transport.
///
/// A class, because it is handed to the thread by reference.
final class TransportThread: Sendable {
    private let mailbox: Mailbox
    private let configuration: CurlTransport.Configuration

    private init(_ mailbox: Mailbox, _ configuration: CurlTransport.Configuration) {
        self.mailbox = mailbox
        self.configuration = configuration
    }

    /// Starts a thread that serves the mailbox until it is closed.
    ///
    /// When it cannot be started, everything that is submitted fails.
    static func start(_ mailbox: Mailbox, _ configuration: CurlTransport.Configuration) {
        let thread = TransportThread(mailbox, configuration)
        let context = unsafe Unmanaged.passRetained(thread)
        let failure = unsafe herald_start_thread(
            { context in
                if let context = unsafe context {
                    unsafe Unmanaged<TransportThread>.fromOpaque(context).takeRetainedValue().run()
                }
                return nil
            },
            context.toOpaque()
        )
        if failure != 0 {
            unsafe context.release()
            thread.giveUp()
        }
    }

    private func run() {
        if loop() {
            mailbox.confirmEnd()
        } else {
            giveUp()
        }
    }

    /// False when there is no loop to run.
    ///
    /// When this returns, what belongs to libcurl is freed.
    private func loop() -> Bool {
        guard var loop = TransferLoop(mailbox, configuration) else { return false }
        loop.run()
        return true
    }

    private func giveUp() {
        let events = mailbox.closeForGood()
        TransferLoop.fail(events, .notSent(.other, "the transport could not be started"))
        mailbox.confirmEnd()
    }
}
