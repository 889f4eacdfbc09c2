import GRDB
package import State
import SystemIO

// Notes about the requests of the units that are being sent.
extension SQLiteStore {
    package func beginFlightNotes(
        of unit: UnitID,
        room: Int
    ) throws(StateStoreError) -> (any FlightNotes)? {
        flights[unit] = nil
        let found = try read { db in
            (owner: try flightOwner(of: unit, in: db), commits: try stored(unit, in: db).commits)
        }
        guard let owner = found.owner else { return nil }
        do throws(SystemError) {
            try flightFolder.create()
            let path = flightFolder.path(of: unit)
            let file = try FlightFile(at: path, owner: owner, commits: found.commits, room: room)
            flights[unit] = file
            return file
        } catch {
            // A file system without room or mapped files; then the high-water mark alone counts.
            flightFolder.remove(unit)
            return nil
        }
    }

    package func endFlightNotes(of unit: UnitID) {
        flights[unit] = nil
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
        return FlightLog(at: path, owner: owner, commits: found.commits)?.records
    }

    /// Removes the notes of a run that has ended.
    func removeFlightNotes() {
        flights = [:]
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
