package import HTTPTransport
import Synchronization

/// The token that every request carries, with a function to renew it.
///
/// A class, because all senders share it: a renewed token applies to all of them.
package final class Bearer: Sendable {
    private let current: Mutex<HTTPHeader>
    private let renewal: @Sendable () async throws(BearerError) -> String

    /// `renewal` requests a new token.
    package init(
        _ token: String,
        renewal: @escaping @Sendable () async throws(BearerError) -> String
    ) {
        current = Mutex(Self.header(token))
        self.renewal = renewal
    }

    /// Creates a token that never changes.
    package convenience init(fixed token: String) {
        self.init(token) { token }
    }

    package var header: HTTPHeader { current.withLock { $0 } }

    /// Sets the token for all later requests.
    package func use(_ token: String) {
        current.withLock { $0 = Self.header(token) }
    }

    package func renew() async throws(BearerError) {
        use(try await renewal())
    }

    private static func header(_ token: String) -> HTTPHeader {
        HTTPHeader(name: "Authorization", value: "Bearer " + token)
    }
}

/// Why the token could not be renewed.
package struct BearerError: Error, Hashable, Sendable {
    package let reason: String

    package init(reason: String) {
        self.reason = reason
    }
}
