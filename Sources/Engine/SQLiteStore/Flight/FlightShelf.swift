import State
import Synchronization
import SystemIO

/// Memory of a file that several units may share.
final class FlightMemory: Sendable {
    let file: MappedFile

    init(_ file: consuming MappedFile) {
        self.file = file
    }
}

/// The notes of short units with consecutive numbers, in one file: with many short units, a file for
/// each takes longer than its requests.
///
/// The file and the place of a unit follow from its number, so that a reader finds it.
final class FlightShelf: Sendable {
    private static let count: Int64 = 4_096

    private let memory: FlightMemory
    private let taken = Mutex<[Int: FlightFile]>([:])

    init(at path: String) throws(SystemError) {
        FileSystem.remove(path)
        let size = Int(Self.count) * FlightLayout.least
        memory = FlightMemory(try MappedFile(creating: path, size: size))
    }

    /// The number of the shelf with the place of a unit.
    static func number(of unit: UnitID) -> Int64 { unit.number / count }

    /// Whether a unit has room on the shelf.
    static func fits(_ room: Int) -> Bool { room <= FlightLayout.leastRoom }

    static func start(of unit: UnitID) -> Int { place(of: unit) * FlightLayout.least }

    private static func place(of unit: UnitID) -> Int { Int(unit.number % count) }

    var isEmpty: Bool { taken.withLock(\.isEmpty) }

    /// Returns the notes of a unit with room for a number of requests; nil if it has notes.
    ///
    /// Memory beyond that room is not touched: a page of a new file takes the kernel longer than a note.
    func notes(of owner: FlightOwner, commits: Int, room: Int) -> FlightFile? {
        taken.withLock { taken in
            let place = Self.place(of: owner.unit)
            guard taken[place] == nil else { return nil }
            let start = Self.start(of: owner.unit)
            let table = FlightTable(memory, at: start, slots: room)
            let notes = FlightFile(owner: owner, commits: commits, in: table)
            taken[place] = notes
            return notes
        }
    }

    /// Removes the notes of a unit; returns false if they are not on the shelf.
    func remove(_ notes: FlightFile, of unit: UnitID) -> Bool {
        taken.withLock { taken in
            let place = Self.place(of: unit)
            guard taken[place] === notes else { return false }
            notes.close()
            taken[place] = nil
            return true
        }
    }
}
