import GRDB
package import State
import StoreTables

extension SQLiteStore {
    package func beginRun(_ worker: Worker) async throws(StateStoreError) -> RunID {
        let run = try write { db in try beginRun(worker, in: db) }
        checkpointBeginning()
        await events.didBeginRun(self)
        return run
    }

    /// Writes the beginning of the run into the main file, so that a copy of that file alone shows
    /// a run that has not ended.
    ///
    /// A reader of an older snapshot can prevent that for as long as it reads; then only the log
    /// has it.
    private func checkpointBeginning() {
        try? queue.writeWithoutTransaction { db in _ = try db.checkpoint(.full) }
    }

    package func finishRun(_ run: RunID, as end: RunEnd) throws(StateStoreError) {
        try recordEnd(of: run, as: end)
        removeFlightNotes()
        try? readRows { sweepLists(neededBy: $0) }
        // The run is complete; the next one repeats what this does not achieve.
        try? keepUpMemberships()
    }
}
