internal import HTTPTransport

/// A request on its stream, and what has come of its answer.
///
/// A class, because it is looked up and changed for every frame. It belongs to the transport's thread.
final class HTTP2Stream {
    let number: Int32
    let submission: Submission
    let request: HTTPRequest
    let fields: HTTP2Fields
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

    init(
        _ number: Int32,
        _ submission: Submission,
        _ request: HTTPRequest,
        _ fields: HTTP2Fields,
        answeredBefore: Int
    ) {
        self.number = number
        self.submission = submission
        self.request = request
        self.fields = fields
        self.answeredBefore = answeredBefore
    }

    /// Resumes its caller; `code` is that of the frame that ended the stream (RFC 9113, section 7).
    ///
    /// A refused stream was not processed (RFC 9113, section 8.7), and so was none above the last
    /// one of a GOAWAY frame, which ends with the same code.
    func end(code: UInt32) {
        if isAnswered, let status {
            submission.succeed(answer.finish(status: status))
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

    private static let refused: UInt32 = 7
}

extension TransportError.Reason {
    fileprivate var ownWords: String {
        switch self {
        case .timedOut: "no answer before the timeout"
        case .malformedAnswer: "the answer is larger than \(AnswerBuilder.bodyLimit) bytes"
        default: "cancelled by its task"
        }
    }
}
