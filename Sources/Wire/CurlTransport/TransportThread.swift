internal import CLibCurl
internal import Glibc
internal import HTTPTransport

/// The thread of one transport.
///
/// A class, because it is passed to the thread by reference.
final class TransportThread: Sendable {
    private let mailbox: TransportInbox
    private let configuration: CurlTransport.Configuration

    private init(_ mailbox: TransportInbox, _ configuration: CurlTransport.Configuration) {
        self.mailbox = mailbox
        self.configuration = configuration
    }

    /// Starts a thread that serves the mailbox until it is closed.
    ///
    /// If the thread cannot start, every submission fails. The caller joins or detaches the thread.
    static func start(
        _ mailbox: TransportInbox,
        _ configuration: CurlTransport.Configuration
    ) -> pthread_t? {
        let thread = TransportThread(mailbox, configuration)
        let context = unsafe Unmanaged.passRetained(thread)
        var handle = pthread_t()
        let failure = unsafe herald_start_thread(
            &handle,
            { context in
                if let context = unsafe context {
                    unsafe Unmanaged<TransportThread>.fromOpaque(context).takeRetainedValue().run()
                }
                return nil
            },
            context.toOpaque()
        )
        guard failure == 0 else {
            unsafe context.release()
            thread.giveUp()
            return nil
        }
        return handle
    }

    private func run() {
        if loop() {
            mailbox.confirmEnd()
        } else {
            giveUp()
        }
    }

    /// Returns false if no loop can be created.
    ///
    /// When this returns, all libcurl objects are freed.
    private func loop() -> Bool {
        guard var loop = TransferLoop(mailbox, configuration) else { return false }
        loop.run()
        return true
    }

    private func giveUp() {
        let events = mailbox.closeForGood()
        TransferLoop.fail(events, .notSent(.other, "the transport could not be started"))
        mailbox.landings.deliver()
        mailbox.confirmEnd()
    }
}
