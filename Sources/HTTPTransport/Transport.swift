/// What carries requests to a server: many at once, each exactly once.
///
/// A transport never repeats a request by itself. Whether to repeat is the ledger's decision.
package protocol Transport: Sendable {
    /// Opens a connection to the origin of `url`, so that a server that cannot be reached is
    /// noticed before any request is recorded as released.
    func prepare(_ url: String) async throws(TransportError)

    /// Sends one request and waits for its whole answer. Cancelling the task cancels the request.
    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPAnswer
}

/// A request that got no answer.
package struct TransportError: Error, Hashable, Sendable {
    /// What is known about the request.
    ///
    /// A ledger must not take the second for the first.
    package enum Fate: Hashable, Sendable {
        /// Not one byte of the request was written: the server cannot have seen it.
        case notSent
        /// Something was written: the server may have acted on it.
        case perhapsSent
    }

    package enum Reason: Hashable, Sendable {
        case badURL
        case unresolvedHost
        case refusedConnection
        case failedTLS
        case timedOut
        case lostConnection
        case cancelled
        case malformedAnswer
        case other
    }

    package let fate: Fate
    package let reason: Reason
    /// What the library said, for people.
    package let detail: String

    package init(fate: Fate, reason: Reason, detail: String) {
        self.fate = fate
        self.reason = reason
        self.detail = detail
    }
}
