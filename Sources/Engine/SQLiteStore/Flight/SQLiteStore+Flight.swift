import GRDB
package import State
import SystemIO

// Notes about the requests of the units that are being sent.
extension SQLiteStore {
    package func beginFlightNotes(
        of unit: UnitID,
        room: Int
    ) async throws(StateStoreError) -> (any FlightNotes)? {
        // A reader would otherwise find the earlier notes in the file and not the new ones on the shelf.
        if let earlier = flights.removeValue(forKey: unit),
            shelf?.remove(earlier, of: unit) != true
        {
            flightFolder.remove(unit)
        }
        let found = try read { db in
            (owner: try flightOwner(of: unit, in: db), commits: try stored(unit, in: db).commits)
        }
        guard let owner = found.owner else { return nil }
        flightCount += 1
        if FlightShelf.fits(room), flightCount > Self.unshelvedCount,
            let notes = openShelf()?.notes(of: owner, commits: found.commits)
        {
            flights[unit] = notes
            return notes
        }
        // Here, because a second call at the same time could remove a new directory.
        guard (try? flightFolder.create()) != nil else { return nil }
        let file = await createNotes(of: owner, commits: found.commits, room: room)
        flights[unit] = file
        return file
    }

    /// The number of units of a run from which the notes of short ones share a file.
    private static var unshelvedCount: Int { 16 }

    /// Returns the file of short units; nil if it cannot be created.
    private func openShelf() -> FlightShelf? {
        if shelf == nil, (try? flightFolder.create()) != nil {
            shelf = try? FlightShelf(at: flightFolder.shelf)
        }
        return shelf
    }

    /// Nil for a file system without room or mapped files; then the high-water mark alone counts.
    ///
    /// Other calls of the store need not wait for it.
    @concurrent nonisolated private func createNotes(
        of owner: FlightOwner,
        commits: Int,
        room: Int
    ) async -> FlightFile? {
        do throws(SystemError) {
            let path = flightFolder.path(of: owner.unit)
            return try FlightFile(at: path, owner: owner, commits: commits, room: room)
        } catch {
            flightFolder.remove(owner.unit)
            return nil
        }
    }

    package func endFlightNotes(of unit: UnitID) async {
        let notes = flights.removeValue(forKey: unit)
        if let notes, shelf?.remove(notes, of: unit) == true { return }
        await removeNotes(of: unit)
    }

    @concurrent nonisolated private func removeNotes(of unit: UnitID) async {
        flightFolder.remove(unit)
    }

    package func flightRecords(
        of unit: UnitID
    ) throws(StateStoreError) -> [Int: FlightRecord]? {
        let found = try read { db in
            (owner: try flightOwner(of: unit, in: db), commits: try stored(unit, in: db).commits)
        }
        guard let owner = found.owner else { return nil }
        // A link could name the notes of another state.
        guard flightFolder.isFolder else { return nil }
        let path = flightFolder.path(of: unit)
        let log =
            FlightLog(at: path, owner: owner, commits: found.commits)
            ?? FlightLog(onShelfAt: flightFolder.shelf, owner: owner, commits: found.commits)
        return log?.records
    }

    /// Removes the notes of a run that has ended.
    func removeFlightNotes() {
        flights = [:]
        flightCount = 0
        shelf = nil
        flightFolder.removeAll()
    }

    private nonisolated var flightFolder: FlightFolder { FlightFolder(of: path) }

    /// Nil without a run in progress, or if the kernel does not tell the boot.
    private nonisolated func flightOwner(of unit: UnitID, in db: Database) throws -> FlightOwner? {
        let row = try db.row(
            """
            SELECT lineage, (SELECT max(id) FROM runs WHERE status = \(RunStatus.running.rawValue))
            FROM meta
            """
        )
        guard let row, let run = try row.decode(Int64?.self, atIndex: 1),
            let boot = CurrentBoot.id
        else { return nil }
        return FlightOwner(
            lineage: StateLineage(text: try row.decode(String.self, atIndex: 0)),
            run: RunID(number: run),
            unit: unit,
            boot: boot
        )
    }
}
