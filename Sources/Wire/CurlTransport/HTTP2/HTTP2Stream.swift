internal import HTTPTransport

/// A request on its stream, with the part of its answer that has arrived.
///
/// A class, because every frame looks it up and changes it. It belongs to the transport's thread.
final class HTTP2Stream {
    let number: Int32
    let submission: Submission
    let request: HTTPRequest
    let fields: HTTP2Fields
    /// Number of requests that the connection had answered when this one started.
    let answeredBefore: Int
    var sentBody = 0
    /// The position of its first byte in the connection's total output; nil until it has one.
    var beginning: Int?
    var status: Int?
    var answer = AnswerBuilder()
    var isAnswered = false
    /// The reason for a local end.
    var ending: TransportError.Reason?

    init(
        number: Int32,
        submission: Submission,
        request: HTTPRequest,
        fields: HTTP2Fields,
        answeredBefore: Int
    ) {
        self.number = number
        self.submission = submission
        self.request = request
        self.fields = fields
        self.answeredBefore = answeredBefore
    }

    /// Resumes the caller; `code` is that of the frame that ended the stream (RFC 9113, section 7).
    ///
    /// The server did not process a refused stream (RFC 9113, section 8.7). The same is true of
    /// streams above the last one in a GOAWAY frame, which end with the same code.
    func end(code: UInt32) {
        if isAnswered, let status {
            submission.succeed(answer.finish(status: status))
        } else if let ending {
            fail(ending, detail: ending.ownWords)
        } else if code == Self.refused, status == nil {
            submission.fail(.notSent(.lostConnection, detail: "the server refused the stream"))
        } else if code == 0 {
            fail(.malformedAnswer, detail: "the server ended the stream without an answer")
        } else {
            fail(.lostConnection, detail: "the server reset the stream, code \(code)")
        }
    }

    /// Fails the request; bytes from `unsentFrom` on never leave the connection.
    ///
    /// `unsentFrom` is nil if all output may still leave.
    func fail(_ reason: TransportError.Reason, detail: String, unsentFrom: Int? = nil) {
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
        case .timedOut: "no answer in time"
        case .malformedAnswer: "the answer is larger than \(AnswerBuilder.bodyLimit) bytes"
        case .cancelled: "its task was cancelled"
        case .badURL, .unresolvedHost, .refusedConnection, .failedTLS, .lostConnection, .other:
            "the stream ended early"
        }
    }
}
