import GRDB
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
            lost = try await writeTogetherRows { [self] file -> StateStoreError? in
                let db = session(file)
                let unit = try stored(unit, in: db)
                guard (0...unit.count).contains(released ?? 0) else { throw beyond(unit) }
                notes?.willCommit(unit.commits + 1)
                let change = try replace(outcomes, of: unit, in: db)
                try add(change, released: released ?? 0, to: unit.id, in: db)
                try countCapped(outcomes, of: unit.id, in: db)
                return try keepIDs(of: outcomes, in: unit, on: file)
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
