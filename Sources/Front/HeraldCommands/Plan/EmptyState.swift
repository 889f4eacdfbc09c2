import FoundationEssentials
import SQLiteStore
import State

/// An empty state in a temporary folder, for a plan that must not read the environment's state.
struct EmptyState {
    let store: SQLiteStore
    private let folder: URL

    /// - Throws: `StateStoreError` if the folder for temporary files cannot be used.
    init() throws(StateStoreError) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "herald-\(UUID())")
        // The same files always give the same plan.
        let zeros = { @Sendable (count: Int) in [UInt8](repeating: 0, count: count) }
        do throws(StateStoreError) {
            store = try SQLiteStore.open(
                path: folder.path + "/empty.sqlite",
                ifMissing: .created(randomBytes: zeros)
            )
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
        self.folder = folder
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }
}
