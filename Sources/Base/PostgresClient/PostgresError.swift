/// Why a statement could not be executed.
///
/// Messages of the server are untrusted text. None contains the address or a password, and those of
/// the server have no details, which may contain values of rows.
package enum PostgresError: Error, Hashable, Sendable {
    /// libpq could not be loaded.
    case noLibrary(detail: String)
    /// The text is no connection string; it is not repeated, because it may contain a password.
    case malformedAddress
    case unreachable(message: String)
    /// `state`: the SQLSTATE; nil if the connection broke.
    case refused(message: String, state: String?)
    case timedOut
    case stopped
}

/// How long to wait for a server.
package struct PostgresPatience: Sendable {
    let deadline: ContinuousClock.Instant
    /// Asked at least every tenth of a second.
    let isStopped: @Sendable () -> Bool

    package init(
        until deadline: ContinuousClock.Instant,
        isStopped: @escaping @Sendable () -> Bool
    ) {
        self.deadline = deadline
        self.isStopped = isStopped
    }

    /// The longest wait until the next check.
    var step: Duration {
        max(.zero, min(.milliseconds(100), ContinuousClock.now.duration(to: deadline)))
    }

    func check() throws(PostgresError) {
        if isStopped() { throw .stopped }
        if deadline <= .now { throw .timedOut }
    }
}
