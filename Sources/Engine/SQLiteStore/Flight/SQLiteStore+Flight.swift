package import State
import StoreTables
import SystemIO

// Notes about the requests of the units that are being sent.
extension SQLiteStore {
    package func beginFlightNotes(
        of unit: UnitID,
        room: Int
    ) async throws(StateStoreError) -> (any FlightNotes)? {
        // A reader would otherwise find the earlier notes in the file and not the new ones on the shelf.
        if let earlier = flights[unit] { dropNotes([(unit, earlier)]) }
        let found = try read { db in
            (owner: try flightOwner(of: unit, in: db), commits: try stored(unit, in: db).commits)
        }
        guard let owner = found.owner else { return nil }
        flightCount += 1
        if FlightShelf.fits(room), flightCount > Self.unshelvedCount,
            let notes = openShelf(of: unit)?.notes(of: owner, commits: found.commits, room: room)
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
    /// Each file needs 32 MiB of the disk.
    private static var mostShelves: Int { 8 }

    /// Begins notes about a unit in the transaction that opens it and makes its first record.
    ///
    /// `owner`: of any unit of the run.
    ///
    /// - Returns: Nil if this machine cannot keep notes.
    func beginNotes(of unit: WorkUnitRecord, by owner: FlightOwner) -> FlightFile? {
        let owner = owner.of(unit.id)
        // Those of a unit that was not opened, but had the same number.
        if let earlier = flights[unit.id] { dropNotes([(unit.id, earlier)]) }
        flightCount += 1
        if FlightShelf.fits(unit.count),
            let notes = openShelf(of: unit.id)?.notes(of: owner, commits: 1, room: unit.count)
        {
            flights[unit.id] = notes
            return notes
        }
        guard (try? flightFolder.create()) != nil else { return nil }
        let path = flightFolder.path(of: unit.id)
        let file = try? FlightFile(at: path, owner: owner, commits: 1, room: unit.count)
        if file == nil { flightFolder.remove(unit.id) }
        flights[unit.id] = file
        return file
    }

    /// Removes notes about units that were not opened, unless another unit with the same number has
    /// begun others.
    func dropNotes(_ begun: [(unit: UnitID, notes: FlightFile)]) {
        for (unit, notes) in begun where flights[unit] === notes {
            let isOnShelf = takeOffShelf(unit)
            flights[unit] = nil
            if !isOnShelf { flightFolder.remove(unit) }
        }
    }

    /// Returns the file of a short unit; nil if it cannot be created, or if there are too many.
    private func openShelf(of unit: UnitID) -> FlightShelf? {
        let number = FlightShelf.number(of: unit)
        if let shelf = shelves[number] { return shelf }
        guard shelves.count < Self.mostShelves, (try? flightFolder.create()) != nil else {
            return nil
        }
        let shelf = try? FlightShelf(at: flightFolder.shelf(of: unit))
        shelves[number] = shelf
        return shelf
    }

    /// Removes the notes of a unit from the file that it shares; returns false if they are not
    /// there.
    ///
    /// The file is removed if no later unit can need it.
    private func takeOffShelf(_ unit: UnitID) -> Bool {
        let number = FlightShelf.number(of: unit)
        guard let notes = flights[unit], let shelf = shelves[number],
            shelf.remove(notes, of: unit)
        else { return false }
        if shelf.isEmpty, shelves.keys.contains(where: { $0 > number }) {
            shelves[number] = nil
            flightFolder.removeShelf(of: unit)
        }
        return true
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
        let isOnShelf = takeOffShelf(unit)
        flights[unit] = nil
        if !isOnShelf { await removeNotes(of: unit) }
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
        let shelf = flightFolder.shelf(of: unit)
        let log =
            FlightLog(at: path, owner: owner, commits: found.commits)
            ?? FlightLog(onShelfAt: shelf, owner: owner, commits: found.commits)
        return log?.records
    }

    /// Removes the notes of a run that has ended.
    func removeFlightNotes() {
        flights = [:]
        flightCount = 0
        shelves = [:]
        flightFolder.removeAll()
    }

    private nonisolated var flightFolder: FlightFolder { FlightFolder(of: path) }

    /// Nil without a run in progress, or if the kernel does not tell the boot.
    nonisolated func flightOwner(
        of unit: UnitID,
        in db: any StateDatabase
    ) throws -> FlightOwner? {
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
