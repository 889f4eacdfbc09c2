package import State
import StoreTables

extension SQLiteStore {
    package func record(
        _ outcomes: [RequestOutcome],
        released: Int?,
        of unit: UnitID
    ) async throws(StateStoreError) {
        let notes = flights[unit]
        let lost: StateStoreError?
        do throws(StateStoreError) {
            lost = try await writeTogether { [self] db in
                let unit = try stored(unit, in: db)
                notes?.willCommit(unit.commits + 1)
                return try record(outcomes, released: released, of: unit, in: db)
            }
        } catch {
            // A full disk changes nothing; after any other error, the state on disk is uncertain.
            if case .diskFull = error {} else { notes?.void() }
            throw error
        }
        notes?.didCommit(outcomes)
        if let lost { throw lost }
    }
}
