import CampaignModel
import State
import SystemIO

/// The directory of the notes about requests in flight, next to a state: one file for each unit that
/// is being sent, and some that short units share if there are many.
struct FlightFolder: Sendable {
    let path: String

    /// For example, the state `.herald/dev.sqlite` has `.herald/dev.sqlite.flight`.
    init(of state: String) {
        path = state + ".flight"
    }

    func path(of unit: UnitID) -> String { "\(path)/\(unit.number)" }

    /// The file that a short unit shares with others.
    func shelf(of unit: UnitID) -> String { "\(path)/short-\(FlightShelf.number(of: unit))" }

    /// Creates the directory, in place of anything else of its name.
    func create() throws(SystemError) {
        if !isFolder { FileSystem.remove(path) }
        try Folder.create(path)
    }

    /// Removes the notes of a unit.
    func remove(_ unit: UnitID) {
        if isFolder { Files.remove(path(of: unit)) }
    }

    /// Removes the file that a short unit shared with others.
    func removeShelf(of unit: UnitID) {
        if isFolder { Files.remove(shelf(of: unit)) }
    }

    /// Removes the notes of all units.
    func removeAll() {
        guard isFolder else { return Files.remove(path) }
        let entries = (try? Folder.entries(of: path)) ?? []
        for entry in entries where entry.kind != .folder { Files.remove("\(path)/\(entry.name)") }
        Folder.removeEmpty(path)
    }

    /// Whether it is a directory, and no link to one.
    var isFolder: Bool { FileStatus(path, followsLink: false)?.isFolder ?? false }
}
