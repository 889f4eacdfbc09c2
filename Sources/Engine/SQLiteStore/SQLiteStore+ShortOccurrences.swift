import CampaignModel
package import State
import StoreTables
import Synchronization

// Many occurrences in one transaction.
extension SQLiteStore {
    package func start(
        _ occurrences: [StartingOccurrence],
        in run: RunID
    ) async throws(StateStoreError) -> [StartedUnit] {
        let begun = BegunNotes()
        do throws(StateStoreError) {
            return try await writeTogether { [self] db in
                // Those of an attempt that was rolled back.
                dropNotes(begun.takeAll())
                do {
                    return try start(occurrences, in: run, noting: begun, on: db)
                } catch {
                    // The next change of the transaction may get the same numbers of units.
                    dropNotes(begun.takeAll())
                    throw error
                }
            }
        } catch {
            dropNotes(begun.takeAll())
            throw error
        }
    }

    private func start(
        _ occurrences: [StartingOccurrence],
        in run: RunID,
        noting begun: BegunNotes,
        on db: any StateDatabase
    ) throws -> [StartedUnit] {
        guard !occurrences.isEmpty else { return [] }
        let units = try open(occurrences, in: run, on: db)
        let owner = try flightOwner(of: units[0].id, in: db)
        return try zip(occurrences, units).map { occurrence, unit in
            let notes = owner.flatMap { beginNotes(of: unit, by: $0) }
            if let notes { begun.add(notes, of: unit.id) }
            if !occurrence.outcomes.isEmpty {
                let stored = try stored(unit.id, in: db)
                notes?.willCommit(stored.commits + 1)
                _ = try record(
                    occurrence.outcomes,
                    released: occurrence.released,
                    of: stored,
                    in: db
                )
            }
            return StartedUnit(unit, notes: notes)
        }
    }

    package func finish(
        _ occurrences: [FinishingOccurrence],
        in run: RunID
    ) async throws(StateStoreError) {
        do throws(StateStoreError) {
            try await writeTogether { [self] db in
                try finish(occurrences, in: run, on: db) { unit in
                    flights[unit.id]?.willCommit(unit.commits + 1)
                }
            }
        } catch {
            // A full disk changes nothing; after any other error, the state on disk is uncertain.
            if case .diskFull = error { throw error }
            for occurrence in occurrences { flights[occurrence.unit]?.void() }
            throw error
        }
        for occurrence in occurrences { await endFlightNotes(of: occurrence.unit) }
    }
}

/// The notes that have begun in a transaction that is not committed.
///
/// A class, because the transaction may be made several times.
private final class BegunNotes: Sendable {
    private let notes = Mutex<[(unit: UnitID, notes: FlightFile)]>([])

    func add(_ file: FlightFile, of unit: UnitID) { notes.withLock { $0.append((unit, file)) } }

    func takeAll() -> [(unit: UnitID, notes: FlightFile)] {
        notes.withLock { notes in
            defer { notes = [] }
            return notes
        }
    }
}
