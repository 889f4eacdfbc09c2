/// The role of the service that sends from a state, which one process has.
///
/// No send depends on it: each window also needs the lock of the state.
package protocol ServiceRole: Sendable {
    /// The interval of attempts to take the role, because a standby may wait for months.
    var interval: Duration { get }

    /// Takes the role unless another process has it.
    func take(for worker: Worker) async throws(StateStoreError) -> ServiceRoleAttempt

    func release()
}

/// What an attempt to take the role found.
package enum ServiceRoleAttempt: Hashable, Sendable {
    case taken
    /// Another process has the role; nil if it has not described itself yet.
    case held(by: Worker?)
}
