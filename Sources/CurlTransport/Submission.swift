internal import HTTPTransport

/// Numbers the submissions of one transport, in the order in which they were made.
struct SubmissionID: Hashable {
    let number: UInt64
}

/// Something a caller waits for.
///
/// Whoever takes it out of the line must resume it, once.
struct Submission: Sendable {
    enum Work: Sendable {
        case request(HTTPRequest, CheckedContinuation<Result<HTTPAnswer, TransportError>, Never>)
        /// Opening a connection and closing it again.
        case connection(CheckedContinuation<Result<Void, TransportError>, Never>)
        /// Opening a connection for HTTP/2, which stays: nobody waits for it alone.
        case link
    }

    let id: SubmissionID
    let url: String
    let deadline: ContinuousClock.Instant
    let work: Work

    var bodyLength: Int {
        if case .request(let request, _) = work { request.body.count } else { 0 }
    }

    func fail(_ error: TransportError) {
        switch work {
        case .request(_, let caller): caller.resume(returning: .failure(error))
        case .connection(let caller): caller.resume(returning: .failure(error))
        case .link: break
        }
    }
}

extension TransportError {
    static func notSent(_ reason: Reason, _ detail: String) -> TransportError {
        TransportError(fate: .notSent, reason: reason, detail: detail)
    }

    static let cancelledBeforeSending = notSent(.cancelled, "cancelled before it was sent")
    static let timedOutInLine = notSent(.timedOut, "timed out while it waited for a connection")
    static let shutDown = notSent(.cancelled, "the transport has been shut down")
}
