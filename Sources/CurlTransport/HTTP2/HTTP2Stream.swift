internal import HTTPTransport

/// A request on its stream, and what has come of its answer.
struct HTTP2Stream {
    let submission: Submission
    let request: HTTPRequest
    /// How many requests had been answered on its connection when it was begun.
    let answeredBefore: Int
    var sentBody = 0
    /// Where its first byte stands in all that the connection was given to write; nil as long as it
    /// has none.
    var beginning: Int?
    var status: Int?
    var answer = AnswerBuilder()
    var isAnswered = false
    /// Why it was ended from this side.
    var ending: TransportError.Reason?

    init(_ submission: Submission, _ request: HTTPRequest, answeredBefore: Int) {
        self.submission = submission
        self.request = request
        self.answeredBefore = answeredBefore
    }

    /// Resumes its caller; `code` is that of the frame that ended the stream (RFC 9113, section 7).
    ///
    /// A refused stream was not processed (RFC 9113, section 8.7), and so was none above the last
    /// one of a GOAWAY frame, which ends with the same code.
    consuming func end(code: UInt32) {
        if isAnswered, let status {
            succeed(answer.finish(status: status))
        } else if let ending {
            fail(ending, ending.ownWords)
        } else if code == Self.refused, status == nil {
            submission.fail(.notSent(.lostConnection, "the server refused the stream"))
        } else if code == 0 {
            fail(.malformedAnswer, "the server ended the stream without an answer")
        } else {
            fail(.lostConnection, "the server reset the stream, code \(code)")
        }
    }

    /// From `unsentFrom` on nothing left the connection, nor ever will; nil where what it was given
    /// may still leave.
    func fail(_ reason: TransportError.Reason, _ detail: String, unsentFrom: Int? = nil) {
        let isUnsent = beginning.map { $0 >= unsentFrom ?? .max } ?? true
        submission.fail(
            TransportError(fate: isUnsent ? .notSent : .perhapsSent, reason: reason, detail: detail)
        )
    }

    private func succeed(_ answer: HTTPAnswer) {
        guard case .request(_, let caller) = submission.work else { return }
        caller.resume(returning: .success(answer))
    }

    private static let refused: UInt32 = 7
}

extension TransportError.Reason {
    fileprivate var ownWords: String {
        switch self {
        case .timedOut: "no answer in time"
        case .malformedAnswer: "the answer is larger than \(AnswerBuilder.bodyLimit) bytes"
        default: "cancelled by its task"
        }
    }
}
