internal import HTTPTransport

/// Numbers the submissions of one transport, in the order in which they were made.
struct SubmissionID: Hashable, Comparable {
    let number: UInt64

    static func < (one: SubmissionID, other: SubmissionID) -> Bool { one.number < other.number }
}

/// Something a caller waits for.
///
/// Whoever takes it out of the line must answer it, once. A class, because it goes from hand to hand
/// for each of very many requests.
final class Submission: Sendable {
    enum Work: Sendable {
        case request(HTTPRequest, Caller)
        /// Opening a connection and closing it again.
        case connection(CheckedContinuation<Result<Void, TransportError>, Never>)
        /// Opening a connection for HTTP/2, which stays: nobody waits for it alone.
        case link
    }

    /// Who waits for an answer.
    enum Caller: Sendable {
        case task(CheckedContinuation<Result<HTTPAnswer, TransportError>, Never>)
        case batch(Batch, number: Int)
    }

    let id: SubmissionID
    let url: String
    let deadline: ContinuousClock.Instant
    let work: Work

    init(id: SubmissionID, url: String, deadline: ContinuousClock.Instant, work: Work) {
        self.id = id
        self.url = url
        self.deadline = deadline
        self.work = work
    }

    var bodyLength: Int {
        if case .request(let request, _) = work { request.body.count } else { 0 }
    }

    /// The answer to a request.
    func succeed(_ answer: HTTPAnswer) {
        guard case .request(_, let caller) = work else { return }
        caller.resume(.success(answer))
    }

    func fail(_ error: TransportError) {
        switch work {
        case .request(_, let caller): caller.resume(.failure(error))
        case .connection(let caller): caller.resume(returning: .failure(error))
        case .link: break
        }
    }
}

extension Submission.Caller {
    fileprivate func resume(_ outcome: Result<HTTPAnswer, TransportError>) {
        switch self {
        case .task(let caller): caller.resume(returning: outcome)
        case .batch(let batch, let number):
            batch.land(NumberedAnswer(number: number, outcome: outcome))
        }
    }
}

extension TransportError {
    static func notSent(_ reason: Reason, _ detail: String) -> TransportError {
        TransportError(fate: .notSent, reason: reason, detail: detail)
    }

    static let cancelledBeforeSending = notSent(.cancelled, "cancelled before it was sent")
    static let timedOutInLine = notSent(.timedOut, "timed out while waiting for a connection")
    static let shutDown = notSent(.cancelled, "the transport has been shut down")
}
