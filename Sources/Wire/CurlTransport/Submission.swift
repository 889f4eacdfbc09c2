internal import HTTPTransport

/// Numbers the submissions of one transport in order of creation.
struct SubmissionID: Hashable, Comparable {
    let number: UInt64

    static func < (one: SubmissionID, other: SubmissionID) -> Bool { one.number < other.number }
}

/// Work that a caller waits for.
///
/// Code that takes it out of the queue must answer it exactly once. A class, because it passes
/// through several owners for very many requests.
final class Submission: Sendable {
    enum Work: Sendable {
        case request(HTTPRequest, AnswerContinuation)
        /// Opens a connection and closes it again.
        case connection(CheckedContinuation<Result<Void, TransportError>, Never>)
        /// Opens an HTTP/2 connection that stays open; no caller waits for it.
        case link
    }

    /// The receiver of an answer.
    enum AnswerContinuation: Sendable {
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

    /// Announces that the request's first byte is about to be passed to a connection.
    func willWrite() {
        if case .request(_, .batch(let batch, let number)) = work { batch.willWrite(number) }
    }

    /// Passes the answer to the caller of the request.
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

extension Submission.AnswerContinuation {
    fileprivate func resume(_ outcome: Result<HTTPAnswer, TransportError>) {
        switch self {
        case .task(let caller): caller.resume(returning: outcome)
        case .batch(let batch, let number):
            batch.land(NumberedAnswer(number: number, outcome: outcome))
        }
    }
}

extension TransportError {
    static func notSent(_ reason: Reason, detail: String) -> TransportError {
        TransportError(fate: .notSent, reason: reason, detail: detail)
    }

    static let cancelledBeforeSending = notSent(.cancelled, detail: "cancelled before it was sent")
    static let timedOutInLine = notSent(
        .timedOut,
        detail: "timed out while waiting for a connection"
    )
    static let shutDown = notSent(.cancelled, detail: "the transport has been shut down")
}
