import CampaignModel
import Presentation
import SQLiteStore
import State
import Time

/// An opened state, or the reason why it cannot be opened.
typealias OpenedState = Result<SQLiteStore, StateStoreError>

extension Session {
    /// Opens the state of an environment without checking its identity.
    func openUnchecked(_ state: EnvironmentState) throws(CommandFailure) -> OpenedState {
        try requireStateFolder()
        let keys = try stateKeys(state.chosen)
        return OpenedState { () throws(StateStoreError) -> SQLiteStore in
            try SQLiteStore.open(path: state.path, keys: keys, ifMissing: .refused)
        }
    }

    /// Opens a copy that only this process uses, with the keys of an environment.
    func openDraft(
        _ path: String,
        of environment: CampaignModel.Environment
    ) throws(CommandFailure) -> OpenedState {
        let (home, keys) = (statePath(environment.id), try stateKeys(environment))
        return OpenedState { () throws(StateStoreError) -> SQLiteStore in
            try SQLiteStore.openDraft(path: path, home: home, keys: keys)
        }
    }

    /// Acquires the lock of a state that may not exist.
    func lockState(
        _ path: String,
        for worker: Worker,
        waiting seconds: Int
    ) async throws(CommandFailure) -> StateLock {
        try requireStateFolder()
        do throws(StateStoreError) {
            let lock = try StateLock(path: path)
            try await lock.acquire(for: worker, waiting: .seconds(seconds))
            return lock
        } catch {
            if case .locked = error { throw CommandFailure(ErrorText(error), exit: .locked) }
            throw CommandFailure(ErrorText(error))
        }
    }
}

extension Instant {
    /// The form used in file names: `20370320T083000Z`.
    var compactText: String { utcText.filter { $0 != "-" && $0 != ":" } }
}
