package import HTTPTransport
internal import Synchronization

internal import Glibc

/// The `Transport` port over libcurl's multi interface, on one thread of its own.
///
/// A class, because it owns that thread and, through it, libcurl's handles and connections; both
/// end with `shutdown` or with the last reference. Requests enter through a locked mailbox that
/// wakes the thread; answers leave by resuming the callers. There is no interval at which anything
/// is looked at.
///
/// To an origin with TLS over HTTP/2 where it speaks that, many requests on a connection; else over
/// HTTP/1.1 with connections that are kept alive. No redirect is followed, no cookie kept, no
/// `.netrc` read, no compression asked for; certificates are always verified. Proxies are those of
/// the usual environment variables (`https_proxy`, `no_proxy`).
package final class CurlTransport: Transport, Sendable {
    package struct Configuration: Sendable {
        /// To one origin over HTTP/1.1, and how many requests are in flight on a connection of
        /// HTTP/2, where the server allows so many; others wait in line.
        ///
        /// At least 1.
        package var maximumConnections: Int
        /// For name resolution, connection and TLS handshake together.
        package var connectTimeLimit: Duration
        /// A connection of HTTP/2 that has been idle for longer is not used again.
        ///
        /// Servers close idle connections, and a request that crosses with that is perhaps sent.
        package var idleTimeLimit: Duration
        /// The same over HTTP/1.1, which has no way to ask whether the other end is still there: a
        /// request on a connection that died while it was idle would be lost.
        ///
        /// In whole seconds, and libcurl rounds down: 1 is less than two.
        package var olderIdleTimeLimit = Duration.seconds(1)
        package var userAgent: String
        /// A file of PEM certificates to trust in place of the system's.
        package var trustedCertificates: String?
        /// A folder of such files, named by OpenSSL's hashes of them.
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

    private let mailbox = Mailbox()
    private let connectTimeLimit: Duration
    private let lastNumber = Atomic<UInt64>(0)
    /// Nil once nobody has to wait for the thread any more.
    private let thread: Mutex<pthread_t?>

    package init(configuration: Configuration = Configuration()) {
        connectTimeLimit = configuration.connectTimeLimit
        thread = Mutex(TransportThread.start(mailbox, configuration))
    }

    deinit {
        mailbox.close()
        if let thread = thread.withLock({ $0.take() }) { pthread_detach(thread) }
    }

    /// Opens a connection to the origin of `url`, TLS included; one that speaks HTTP/2 stays for
    /// the requests, another is closed again.
    package func prepare(_ url: String) async throws(TransportError) {
        let outcome = await submit(url, connectTimeLimit) { .connection($0) }
        try outcome.get()
    }

    /// Sends one request and waits for its whole answer.
    ///
    /// Fails as `notSent` exactly when there never was a connection that was ready for the request,
    /// nothing of it left on one of HTTP/2, or the server said that it did not process it. An answer with a body of more than 16 MiB counts as malformed.
    package func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPAnswer {
        let outcome = await submit(request.url, request.timeLimit) { .request(request, .task($0)) }
        return try outcome.get()
    }

    /// Ends the thread and closes its connections.
    ///
    /// What is open fails as cancelled, and so does what is sent from now on.
    package func shutdown() async {
        mailbox.close()
        await mailbox.waitForEnd()
        // Its work is done, so this takes no time. A thread that is still ending while the process
        // exits would use what the TLS library has already freed.
        if let thread = thread.withLock({ $0.take() }) { pthread_join(thread, nil) }
    }

    /// Sends many requests without a task for each; what one turn of the thread brings in is handed
    /// on together.
    package func send(_ requests: [NumberedRequest], to receiver: any AnswerReceiver) async {
        guard !requests.isEmpty else { return }
        let count = UInt64(requests.count)
        let last = lastNumber.wrappingAdd(count, ordering: .relaxed).newValue
        let ids = SubmissionID(number: last - count + 1)...SubmissionID(number: last)
        await withTaskCancellationHandler {
            await withCheckedContinuation { caller in
                let batch = Batch(requests.count, to: receiver, by: mailbox.landings, caller)
                let submissions = Self.submissions(requests, of: batch, from: ids.lowerBound.number)
                if !post(submissions, ids) { mailbox.landings.deliver() }
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
        _ url: String,
        _ timeLimit: Duration,
        _ work: (CheckedContinuation<Result<Value, TransportError>, Never>) -> Submission.Work
    ) async -> Result<Value, TransportError> {
        let id = SubmissionID(
            number: lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
        )
        let deadline = ContinuousClock.now + min(timeLimit, Self.longest)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { caller in
                let work = work(caller)
                _ = post([Submission(id: id, url: url, deadline: deadline, work: work)], id...id)
            }
        } onCancel: {
            _ = mailbox.post(.cancellation(id...id))
        }
    }

    /// False where they have failed.
    private func post(_ submissions: [Submission], _ ids: ClosedRange<SubmissionID>) -> Bool {
        guard !Task.isCancelled else {
            for submission in submissions { submission.fail(.cancelledBeforeSending) }
            return false
        }
        guard mailbox.post(.submissions(submissions)) else {
            for submission in submissions { submission.fail(.shutDown) }
            return false
        }
        // A cancellation that came between the question above and the posting went ahead of the
        // submissions and was ignored: it is said again.
        if Task.isCancelled { _ = mailbox.post(.cancellation(ids)) }
        return true
    }
}
