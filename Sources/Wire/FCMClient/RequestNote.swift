import HTTPTransport

/// A request without secrets, for people.
package struct RequestNote: Hashable, Sendable {
    package enum End: Hashable, Sendable {
        case status(Int)
        /// No answer arrived, for this reason.
        case failed(String)
    }

    /// The HTTP method.
    package let method: String
    /// The address without its query; a registration in it is replaced by its fingerprint.
    package let place: String
    package let end: End
    package let duration: Duration

    package init(method: String, place: String, end: End, duration: Duration) {
        self.method = method
        self.place = place
        self.end = end
        self.duration = duration
    }
}

extension TransportError.Reason {
    /// A short text without any part of the request.
    package var wording: String {
        switch self {
        case .badURL: "bad URL"
        case .unresolvedHost: "unresolved host"
        case .refusedConnection: "connection refused"
        case .failedTLS: "TLS failed"
        case .timedOut: "timed out"
        case .lostConnection: "connection lost"
        case .cancelled: "cancelled"
        case .malformedAnswer: "malformed answer"
        case .other: "no answer"
        }
    }
}
