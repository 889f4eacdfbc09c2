import CampaignModel
import Presentation
import SQLiteStore
import State
import Time

extension Session {
    /// Opens any state file with the keys of an environment, without checking its identity.
    func openFile(
        _ path: String,
        of environment: CampaignModel.Environment
    ) throws(CommandFailure) -> Result<SQLiteStore, StateStoreError> {
        let keys = try stateKeys(environment)
        do throws(StateStoreError) {
            return .success(try SQLiteStore.open(path: path, keys: keys, ifMissing: .refused))
        } catch {
            return .failure(error)
        }
    }

    /// Acquires the lock of a state that may not exist.
    func lockState(
        _ path: String,
        for worker: Worker,
        waiting seconds: Int
    ) async throws(CommandFailure) -> StateLock {
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
