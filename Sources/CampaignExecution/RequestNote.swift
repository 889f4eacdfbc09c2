package import HTTPTransport

/// A request as people may see it: nothing in it is secret.
package struct RequestNote: Hashable, Sendable {
    package enum End: Hashable, Sendable {
        case status(Int)
        /// No answer came, for this reason.
        case failed(TransportError.Reason)
    }

    package let method: HTTPRequest.Method
    /// Host and path; a registration in it stands as its fingerprint, and what a query asks with
    /// is left out.
    package let place: String
    package let end: End
    package let duration: Duration

    package init(
        method: HTTPRequest.Method,
        place: String,
        end: End,
        duration: Duration
    ) {
        self.method = method
        self.place = place
        self.end = end
        self.duration = duration
    }
}
