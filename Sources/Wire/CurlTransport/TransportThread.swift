internal import HTTPTransport
internal import SystemIO

/// The thread of one transport.
///
/// It blocks all signals, as the application must do with CURLOPT_NOSIGNAL.
struct TransportThread: Sendable {
    private let mailbox: TransportInbox
    private let configuration: CurlTransport.Configuration

    /// Starts a thread that serves the mailbox until it is closed.
    ///
    /// If the thread cannot start, every submission fails. The caller joins or detaches the thread.
    static func start(
        _ mailbox: TransportInbox,
        configuration: CurlTransport.Configuration
    ) -> SystemThread? {
        let thread = TransportThread(mailbox: mailbox, configuration: configuration)
        guard let handle = SystemThread({ thread.run() }) else {
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
        guard var loop = TransferLoop(mailbox: mailbox, configuration: configuration) else {
            return false
        }
        loop.run()
        return true
    }

    private func giveUp() {
        let events = mailbox.closeForGood()
        TransferLoop.fail(
            events,
            with: .notSent(.other, detail: "the transport could not be started")
        )
        mailbox.landings.deliver()
        mailbox.confirmEnd()
    }
}
