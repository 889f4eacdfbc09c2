package import CampaignModel
package import RegistrationLists
package import State

/// Why an apply ended early.
///
/// Completed work is recorded.
package enum ApplyError: Error, Hashable, Sendable {
    case state(StateStoreError)
    case list(RegistrationListError)
    /// The server was unreachable before anything was sent.
    case unreachable(reason: String)
    /// There was no conclusive answer after several attempts.
    case unanswered(reason: String)
    /// FCM rejects the caller: credential, project or request.
    case refused(reason: String)
    /// An occurrence that the plan corrects was recalled with another text since then.
    case recalled(OccurrenceID)
    case interrupted
}

extension ApplyError {
    /// Why a run stopped, for its history; nil if its status is sufficient.
    package var cause: String? {
        switch self {
        case .state: "the state could not be written"
        case .list: "a list could not be read, or it differs from the planned list"
        case .unreachable(let reason): "the server cannot be reached: \(reason)"
        case .unanswered(let reason): "the server stopped answering: \(reason)"
        case .refused(let reason): "FCM refuses access: \(reason)"
        case .recalled(let id): "\(id) was recalled with another text"
        case .interrupted: nil
        }
    }
}

/// Reads or writes the state and maps its error to an apply error.
package func mapLedgerErrors<Value: ~Copyable>(
    _ body: () async throws(StateStoreError) -> Value
) async throws(ApplyError) -> Value {
    do { return try await body() } catch { throw .state(error) }
}

/// Reads a registration list and maps its error to an apply error.
package func mapListErrors<Value: ~Copyable>(
    _ body: () throws(RegistrationListError) -> Value
) throws(ApplyError) -> Value {
    do { return try body() } catch { throw .list(error) }
}
