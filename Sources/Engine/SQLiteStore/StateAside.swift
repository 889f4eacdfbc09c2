package import State
import FoundationEssentials

/// A state's file that others take the place of, under names that say so.
///
/// It is linked to its second name before it loses the first, so that nothing is lost in between.
package struct StateAside {
    /// What it is called from now on.
    package let path: String
    private let original: String

    /// `word`: why, as in `damaged`; `moment`: as in `20370320T083000Z`.
    package init(of path: String, _ word: String, _ moment: String) throws(StateStoreError) {
        original = path
        var name = "\(path).\(word)-\(moment)"
        var number = 2
        while try !Files.isMissing(name) {
            name = "\(path).\(word)-\(moment)-\(number)"
            number += 1
        }
        self.path = name
    }

    private static let parts = ["", "-wal"]

    package func keep() throws(StateStoreError) {
        for part in Self.parts { try Files.keep(original + part, as: path + part) }
        try Files.syncFolder(Files.parent(of: path))
    }

    /// Puts a finished state in its place; nobody may have the old one open.
    package func replace(with draft: String) throws(StateStoreError) {
        // A log that stays would be taken for the new state's.
        for part in ["-wal", "-shm"] { Files.remove(original + part) }
        try Files.replace(original, with: draft)
    }
}

/// Copies of states that are worked on where nobody else looks.
package enum StateDraft {
    /// Copies a state's file, and the log that belongs to it, beside a state; only the user can
    /// read the copy.
    ///
    /// Drafts that were left there go: the writer's lock is held.
    package static func make(of file: String, beside path: String) throws(StateStoreError) -> String
    {
        removeStale(beside: path)
        let draft = name(beside: path)
        try Files.makeFolder(Files.parent(of: path))
        for part in ["", "-wal"] where part.isEmpty || Files.size(of: file + part) != nil {
            try Files.copy(file + part, to: draft + part)
        }
        return draft
    }

    package static func name(beside path: String) -> String {
        "\(path).new-\(UInt32.random(in: .min ... .max))"
    }

    /// Removes whole copies that commands left when they were killed; the writer's lock is held.
    package static func removeStale(beside path: String) {
        let folder = Files.parent(of: path)
        let state = path.split(separator: "/").last.map { "\($0).new-" } ?? path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasPrefix(state) { Files.remove("\(folder)/\(name)") }
    }

    package static func remove(_ draft: String) {
        for part in ["", "-wal", "-shm", ".lock"] { Files.remove(draft + part) }
    }
}
