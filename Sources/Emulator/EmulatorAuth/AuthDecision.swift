package import JSON

/// An answer, the change to perform after the request is recorded, and the record.
package struct AuthDecision: Sendable {
    package var answer: AuthAnswer
    /// Nil if the request changes nothing.
    package var change: AuthorityChange?
    /// The recorded replacement for the request's body and the answer, or nil to record both
    /// unchanged.
    package var recorded: RecordedExchange?
}

/// An answer: JSON, or the string in `body` if the content type is not JSON.
package struct AuthAnswer: Sendable {
    package var status: Int
    package var body: JSONValue
    /// Nil for JSON.
    package var contentType: String?
    /// Header fields in addition to those of every answer.
    package var headers: [(name: String, value: String)] = []

    static func success(_ body: JSONValue) -> AuthAnswer { AuthAnswer(status: 200, body: body) }
}

/// An invalid value in a request, which Google's APIs report as an invalid argument.
package struct InvalidArgument: Error, Hashable, Sendable {
    /// Empty if no field is at fault.
    package var field = ""
    /// One sentence; it must not repeat the input, which may be a secret.
    package let description: String
}
