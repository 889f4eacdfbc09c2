package import HTTPTransport
internal import Synchronization
internal import SystemIO

/// The `Transport` port on libcurl's multi interface, with a dedicated thread.
///
/// A class, because it owns the thread and, through it, libcurl's handles and connections.
/// `shutdown` or the last release ends both. Requests enter through a locked mailbox that wakes the
/// thread, and answers resume the callers. Nothing is polled.
///
/// TLS origins that support HTTP/2 get many requests per connection. Others get HTTP/1.1 with
/// persistent connections. The transport follows no redirects, stores no cookies, reads no
/// `.netrc`, requests no compression and always verifies certificates. Proxies come from the usual
/// environment variables (`https_proxy`, `no_proxy`).
package final class CurlTransport: Transport, Sendable {
    package struct Configuration: Sendable {
        /// The maximum number of concurrent requests to one origin; over HTTP/1.1, each has its own
        /// connection.
        ///
        /// The server may allow fewer. Other requests wait in a queue. At least 1.
        package var maximumConnections: Int
        /// The maximum number of concurrent requests on one HTTP/2 connection.
        ///
        /// The server may allow fewer. A connection that is reset costs at most this many.
        package var maximumStreams = 100
        /// Limits name resolution, connection and TLS handshake together.
        package var connectTimeLimit: Duration
        /// The longest idle time after which an HTTP/2 connection is still used.
        ///
        /// Servers close idle connections, and a request that crosses the close may have been sent.
        package var idleTimeLimit: Duration
        /// The same limit for HTTP/1.1, which cannot check whether the server is still there.
        ///
        /// A request on a connection that died while idle would be lost. In whole seconds; libcurl
        /// rounds down, so 1 means less than two.
        package var olderIdleTimeLimit = Duration.seconds(1)
        package var userAgent: String
        /// A file of PEM certificates to trust instead of the system's.
        package var trustedCertificates: String?
        /// A folder of these files, named by their OpenSSL hashes.
        package var trustedFolder: String?

        package init(
            maximumConnections: Int = 64,
            connectTimeLimit: Duration = .seconds(10),
            idleTimeLimit: Duration = .seconds(30),
            userAgent: String = "herald",
            trustedCertificates: String? = nil
        ) {
            self.maximumConnections = max(1, maximumConnections)
            self.connectTimeLimit = connectTimeLimit
            self.idleTimeLimit = idleTimeLimit
            self.userAgent = userAgent
            self.trustedCertificates = trustedCertificates
        }
    }

    private let mailbox = TransportInbox()
    private let connectTimeLimit: Duration
    private let lastNumber = Atomic<UInt64>(0)
    /// Nil once the thread has been joined.
    private let thread: Mutex<SystemThread?>

    package init(configuration: Configuration = Configuration()) {
        connectTimeLimit = configuration.connectTimeLimit
        thread = Mutex(TransportThread.start(mailbox, configuration: configuration))
    }

    deinit {
        mailbox.close()
        thread.withLock { $0.take() }?.detach()
    }

    /// Opens a connection to the origin of `url`, including TLS.
    ///
    /// An HTTP/2 connection stays open for requests; any other connection is closed.
    package func prepare(_ url: String) async throws(TransportError) {
        let outcome = await submit(to: url, within: connectTimeLimit) { .connection($0) }
        try outcome.get()
    }

    /// Sends one request and waits for its whole answer.
    ///
    /// Fails as `notSent` in exactly three cases: no connection was ready for the request, no byte
    /// of it left on an HTTP/2 connection, or the server reported that it did not process the
    /// request. An answer with a body of more than 16 MiB is malformed.
    package func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPAnswer {
        let outcome = await submit(to: request.url, within: request.timeLimit) {
            .request(request, .task($0))
        }
        return try outcome.get()
    }

    /// Ends the thread and closes its connections.
    ///
    /// Open requests and all later requests fail as cancelled.
    package func shutdown() async {
        mailbox.close()
        await mailbox.waitForEnd()
        // The thread has finished its work, so this returns quickly. A thread that is still running
        // while the process exits would use memory that the TLS library has already freed.
        thread.withLock { $0.take() }?.join()
    }

    /// Sends many requests without one task per request; answers from one turn of the thread are
    /// delivered together.
    package func send(_ requests: [NumberedRequest], to receiver: any AnswerReceiver) async {
        guard !requests.isEmpty else { return }
        let count = UInt64(requests.count)
        let last = lastNumber.wrappingAdd(count, ordering: .relaxed).newValue
        let ids = SubmissionID(number: last - count + 1)...SubmissionID(number: last)
        await withTaskCancellationHandler {
            await withCheckedContinuation { caller in
                let batch = Batch(
                    of: requests.count,
                    to: receiver,
                    by: mailbox.landings,
                    caller: caller
                )
                let submissions = Self.submissions(requests, of: batch, from: ids.lowerBound.number)
                if !post(submissions, ids: ids) { mailbox.landings.deliver() }
            }
        } onCancel: {
            _ = mailbox.post(.cancellation(ids))
        }
    }

    private static func submissions(
        _ requests: [NumberedRequest],
        of batch: Batch,
        from first: UInt64
    ) -> [Submission] {
        let now = ContinuousClock.now
        return requests.enumerated().map { index, numbered in
            let request = numbered.request
            return Submission(
                id: SubmissionID(number: first + UInt64(index)),
                url: request.url,
                deadline: now + min(request.timeLimit, longest),
                work: .request(request, .batch(batch, number: numbered.number))
            )
        }
    }

    private static let longest = Duration.seconds(2_000_000)

    private func submit<Value: Sendable>(
        to url: String,
        within timeLimit: Duration,
        work: (CheckedContinuation<Result<Value, TransportError>, Never>) -> Submission.Work
    ) async -> Result<Value, TransportError> {
        let id = SubmissionID(
            number: lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
        )
        let deadline = ContinuousClock.now + min(timeLimit, Self.longest)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { caller in
                let work = work(caller)
                _ = post(
                    [Submission(id: id, url: url, deadline: deadline, work: work)],
                    ids: id...id
                )
            }
        } onCancel: {
            _ = mailbox.post(.cancellation(id...id))
        }
    }

    /// Returns false if the submissions have failed.
    private func post(_ submissions: [Submission], ids: ClosedRange<SubmissionID>) -> Bool {
        guard !Task.isCancelled else {
            for submission in submissions { submission.fail(.cancelledBeforeSending) }
            return false
        }
        guard mailbox.post(.submissions(submissions)) else {
            for submission in submissions { submission.fail(mailbox.refusal) }
            return false
        }
        // A cancellation between the check above and the post reached the thread before the
        // submissions and was ignored. Post it again.
        if Task.isCancelled { _ = mailbox.post(.cancellation(ids)) }
        return true
    }
}
