import FoundationEssentials
package import State

/// A state file that is moved aside under a descriptive name.
///
/// It is linked to its second name before it loses the first, so that nothing is lost between the
/// two steps.
package struct DisplacedStateFile {
    /// The new path.
    package let path: String
    private let original: String

    /// `word`: the reason, such as `damaged`; `moment`: such as `20370320T083000Z`.
    package init(of path: String, as word: String, at moment: String) throws(StateStoreError) {
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

    /// Puts a finished state in its place, whose lock the caller then has; no process may have the
    /// old one open.
    package func replace(
        with draft: String,
        under lock: StateLock
    ) throws(StateStoreError) {
        try lock.prepare(successor: draft)
        // A remaining log would be mistaken for the new state's.
        for part in ["-wal", "-shm"] { Files.remove(original + part) }
        try Files.replace(original, with: draft)
    }
}

/// Working copies of states, under names that no other command uses.
package enum TemporaryStateFile {
    /// Copies a state's file and its log to a draft next to a state; only the user can read the
    /// copy.
    ///
    /// It removes old drafts, because the caller holds the write lock.
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

    /// Removes complete copies of killed commands; the caller holds the write lock.
    package static func removeStale(beside path: String) {
        let folder = Files.parent(of: path)
        let state = path.split(separator: "/").last.map { "\($0).new-" } ?? path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasPrefix(state) { Files.remove("\(folder)/\(name)") }
    }

    /// Removes the names that a killed command gave the state's own file, and that it would have
    /// kept only for an older file.
    ///
    /// The caller holds the write lock.
    static func removeSecondNames(of path: String) {
        guard let state = Files.identity(of: path), let name = path.split(separator: "/").last
        else { return }
        let folder = Files.parent(of: path)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for other in names.map({ "\(folder)/\($0)" })
        where other.hasPrefix("\(folder)/\(name).") && Files.identity(of: other) == state {
            Files.remove(other)
        }
    }

    package static func remove(_ draft: String) {
        for part in ["", "-wal", "-shm", ".writer"] { Files.remove(draft + part) }
    }
}
