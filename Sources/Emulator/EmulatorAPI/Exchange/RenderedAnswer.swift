/// An answer, ready for transmission.
package struct RenderedAnswer: Sendable {
    package var status: Int
    package var bytes: [UInt8]
    package var allowedMethods: [String] = []
    package var contentType = "application/json; charset=UTF-8"
    /// Header fields in addition to those of every answer, such as Retry-After.
    package var headers: [(name: String, value: String)] = []
    package var delivery = AnswerDelivery.whole
    /// The effect of a fault script on the request.
    var fault: FaultRecord?
    /// The answer's number in this process.
    var ticket = 0
    /// Computes the answer on another thread, if it would block the connection for too long.
    package var completion: (@Sendable () -> RenderedAnswer)?
    /// The query to repeat until it has changes, or nil if the answer can be sent now.
    package var repetition: RepeatedQuery?

    package init(
        status: Int,
        bytes: [UInt8],
        allowedMethods: [String] = [],
        headers: [(name: String, value: String)] = []
    ) {
        self.status = status
        self.bytes = bytes
        self.allowedMethods = allowedMethods
        self.headers = headers
    }

    /// Whether the answer can be sent now.
    package var isReady: Bool { completion == nil && repetition == nil }

    /// The answer, computed now if necessary.
    var completed: RenderedAnswer { completion?() ?? self }

    /// Whether the status allows a body (RFC 9110, sections 15.3.5 and 15.4.5).
    package var mayHaveBody: Bool { status != 204 && status != 304 }
}

/// A query whose answer waits for changes.
package struct RepeatedQuery: Sendable {
    package let request: EmulatorRequest
    /// Maximum wait.
    package let milliseconds: Int64
    /// The query at the end of the wait, if it has another answer then.
    package let last: EmulatorRequest?

    package init(request: EmulatorRequest, milliseconds: Int64, last: EmulatorRequest? = nil) {
        self.request = request
        self.milliseconds = milliseconds
        self.last = last
    }
}

/// Answers of requests that could not be recorded and were therefore not performed.
package struct UnrecordedAnswers: Sendable {
    let tickets: Range<Int>
    let answer: RenderedAnswer

    /// Returns the answer, or the error answer that replaces it.
    package func replacing(_ other: RenderedAnswer) -> RenderedAnswer {
        tickets.contains(other.ticket) ? answer : other
    }
}
