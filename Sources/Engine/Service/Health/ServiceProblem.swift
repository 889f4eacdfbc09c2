package import RunControl
package import State

/// Why a service is not ready.
///
/// The raw values appear in `/readyz`, in logs and in labels of metrics, so they never change.
package enum ServiceProblem: String, Hashable, Sendable, CaseIterable {
    /// The state was not read yet.
    case starting
    /// There is no access token.
    case credential
    /// FCM refuses the caller: its credential, its project or its requests.
    case access
    /// The clock is before the last run.
    case clock
    /// Another process holds the lock for longer than the service waits for it, or a stopped process
    /// keeps the service from sending.
    case lock
    /// The state cannot be written, because the disk is full or read-only.
    case disk
    /// The state cannot be read, or is not the expected one.
    case state
    /// The server is unreachable, or stopped answering.
    case server
    /// A guard or a missing consent refuses the sends.
    case `guard`
    /// Any other failure.
    case failure

    /// Whether a working credential would end it.
    package var isAboutCredential: Bool { self == .credential || self == .access }
}

extension ServiceProblem {
    package init(_ error: StateStoreError) {
        switch error {
        case .locked: self = .lock
        case .diskFull, .readOnly: self = .disk
        case .unreachable, .damaged, .damagedIDs, .otherFormat, .encrypted, .wrongKey,
            .notEncrypted, .failed, .missing, .foreign, .replaced, .unsuitable, .displaced,
            .rolledBack, .moved:
            self = .state
        case .server(_, let problem):
            switch problem {
            case .diskFull, .readOnly: self = .disk
            case .lostLock: self = .lock
            case .noLibrary, .malformedAddress, .unreachable, .untrusted, .rejected, .slow,
                .cancelled, .lacksPrivilege, .tooOld, .unsafeSetting, .uncertainCommit,
                .lostCommits:
                self = .state
            }
        }
    }

    /// Nil if a user or a supervisor asked for the end.
    package init?(_ error: ApplyError) {
        switch error {
        case .state(let error): self.init(error)
        case .list, .recalled: self = .failure
        case .unreachable, .unanswered: self = .server
        case .refused: self = .access
        case .interrupted: return nil
        }
    }
}
