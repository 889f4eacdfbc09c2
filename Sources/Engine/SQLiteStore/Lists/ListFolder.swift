import FoundationEssentials
import State
import StoreTables
import Synchronization
import SystemIO

/// The directory of the files of long lists, next to a state.
///
/// SQLite writes each value to its log first and in pages, which takes several times as long as
/// reading and checking the list.
struct ListFolder: Sendable {
    let path: String

    /// For example, the state `.herald/dev.sqlite` has `.herald/dev.lists`.
    init(of state: String) {
        let stem = state.hasSuffix(".sqlite") ? String(state.dropLast(7)) : state
        path = "\(stem).lists"
    }

    func path(of file: String) -> String { "\(path)/\(file)" }

    /// Returns bytes of a file; nil if it does not have them.
    func read(_ file: String, at start: Int, count: Int) -> Data? {
        do throws(SystemError) {
            let file = try File(path(of: file), for: .reading, options: .refusingLinks)
            let bytes = try file.read(at: start, count: count)
            return bytes.count == count ? Data(bytes) : nil
        } catch {
            return nil
        }
    }

    /// Removes the files that are not needed and that no process writes; the caller holds the
    /// write lock.
    func sweep(keeping needed: Set<String>) {
        let entries = (try? Folder.entries(of: path)) ?? []
        for entry in entries where entry.kind == .file && !needed.contains(entry.name) {
            guard let lock = try? FileLock(existing: path(of: entry.name), options: .refusingLinks),
                let isLocked = try? lock.tryLock(), isLocked
            else { continue }
            Files.remove(path(of: entry.name))
        }
    }
}

/// A file for lists that are being drafted, which its process has locked.
///
/// A class, because drafts share it. The deinitializer removes it unless the state needs it.
final class ListFile: Sendable {
    let name: String
    private let folder: ListFolder
    private let file: File
    private let lock: FileLock
    private let progress = Mutex(Progress())

    private struct Progress {
        var size = 0
        var isKept = false
    }

    init(in folder: ListFolder) throws(StateStoreError) {
        try Files.makeFolder(folder.path)
        self.folder = folder
        var name = StoredList.randomName()
        while true {
            let path = folder.path(of: name)
            let file = try stateErrors(path: path) { () throws(SystemError) in
                try File(path, for: .readingAndWriting, options: [.new, .refusingLinks])
            }
            let lock = try stateErrors(path: path) { () throws(SystemError) in
                try FileLock(existing: path, options: .refusingLinks)
            }
            // Before it was locked, another process may have removed it.
            if lock.tryLock(attempts: 100), Files.identity(of: path) != nil {
                self.name = name
                self.file = file
                self.lock = lock
                return
            }
            name = StoredList.randomName()
        }
    }

    deinit {
        if !progress.withLock(\.isKept) { Files.remove(folder.path(of: name)) }
    }

    /// Appends values one after the other, and returns the offset of the first one.
    func append(_ values: [[UInt8]]) throws(StateStoreError) -> Int {
        let count = values.reduce(0) { $0 + $1.count }
        let start = progress.withLock { progress in
            defer { progress.size += count }
            return progress.size
        }
        var place = start
        for value in values {
            try stateErrors(path: folder.path(of: name)) { () throws(SystemError) in
                try file.write(value, at: place)
            }
            place += value.count
        }
        return start
    }

    /// Waits until the file and its name are on the disk.
    func sync() throws(StateStoreError) {
        try stateErrors(path: folder.path(of: name)) { () throws(SystemError) in try file.sync() }
        try Files.syncFolder(folder.path)
    }

    /// The state needs the file from now on.
    func keep() {
        progress.withLock { $0.isKept = true }
    }
}
