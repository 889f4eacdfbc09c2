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
            thread.giveUp(.notSent(.other, detail: "the system could not start a thread"))
            return nil
        }
        return handle
    }

    private func run() {
        do throws(TransportError) {
            try loop()
            mailbox.confirmEnd()
        } catch {
            giveUp(error)
        }
    }

    /// When this returns, all libcurl objects are freed.
    private func loop() throws(TransportError) {
        var loop = try TransferLoop(mailbox: mailbox, configuration: configuration)
        loop.run()
    }

    private func giveUp(_ error: TransportError) {
        TransferLoop.fail(mailbox.closeForGood(refusal: error), with: error)
        mailbox.landings.deliver()
        mailbox.confirmEnd()
    }
}
