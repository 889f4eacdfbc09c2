import HTTPTransport
import Synchronization

/// The token that every request carries, and how to get another.
///
/// A class, because whoever sends shares it: a renewed token is everybody's.
package final class Bearer: Sendable {
    private let current: Mutex<HTTPHeader>
    private let renewal: @Sendable () async throws(BearerError) -> String

    /// `renewal` asks for a new token.
    package init(
        _ token: String,
        renewal: @escaping @Sendable () async throws(BearerError) -> String
    ) {
        current = Mutex(Self.header(token))
        self.renewal = renewal
    }

    /// A token that is never another.
    package convenience init(fixed token: String) {
        self.init(token) { token }
    }

    var header: HTTPHeader { current.withLock { $0 } }

    /// From now on every request carries this token.
    package func use(_ token: String) {
        current.withLock { $0 = Self.header(token) }
    }

    func renew() async throws(BearerError) {
        use(try await renewal())
    }

    private static func header(_ token: String) -> HTTPHeader {
        HTTPHeader("Authorization", "Bearer " + token)
    }
}

/// Why there is no other token.
package struct BearerError: Error, Hashable, Sendable {
    package let reason: String

    package init(reason: String) {
        self.reason = reason
    }
}
