import State
import SystemIO

/// File operations that SQLite does not perform for the store.
enum Files {
    /// Nil if there is no file, or if it is not accessible.
    static func size(of path: String) -> Int? { FileStatus(path, followsLink: true)?.size }

    /// Identifies a file regardless of its name; nil if there is none that is accessible.
    static func identity(of path: String) -> FileIdentity? {
        FileStatus(path, followsLink: true).map(FileIdentity.init)
    }

    static func isMissing(_ path: String) throws(StateStoreError) -> Bool {
        do throws(SystemError) {
            _ = try FileStatus.of(path)
            return false
        } catch {
            guard error == .notFound else { throw StateStoreError(error, path: path) }
            return true
        }
    }

    /// Creates a folder and its parents, accessible only to the user, and syncs them.
    static func makeFolder(_ folder: String) throws(StateStoreError) {
        guard try isMissing(folder) else { return }
        let parent = parent(of: folder)
        try makeFolder(parent)
        try stateErrors(path: folder) { () throws(SystemError) in try Folder.create(folder) }
        try syncFolder(parent)
    }

    static func parent(of path: String) -> String { FileSystem.parent(of: path) }

    /// Creates an empty file that only the user can read, as a draft of the file at `path`; fails
    /// if the draft exists.
    static func makeDraft(_ draft: String, of path: String) throws(StateStoreError) {
        try stateErrors(path: path) { () throws(SystemError) in
            _ = try File(draft, for: .readingAndWriting, options: .new)
        }
    }

    static func remove(_ path: String) {
        FileSystem.remove(path)
    }

    /// Gives a finished state its name and syncs it; an existing file with that name stays.
    ///
    /// A lock of the folder keeps other processes from creating the same state meanwhile.
    static func publish(_ file: String, as path: String) throws(StateStoreError) {
        let lock = try FolderLock(of: path)
        try lock.wait()
        guard try isMissing(path) else { return remove(file) }
        try replace(path, with: file)
        _ = consume lock
    }

    /// Copies a file to a new path; only the user can read the copy.
    static func copy(_ path: String, to other: String) throws(StateStoreError) {
        let source = try stateErrors(path: path) { () throws(SystemError) in
            try File(path, for: .reading, options: .withoutWaiting)
        }
        try makeDraft(other, of: other)
        let target = try stateErrors(path: other) { () throws(SystemError) in
            try File(other, for: .writing)
        }
        while true {
            let piece = try stateErrors(path: path) { () throws(SystemError) in
                try source.read(atMost: 1 << 20)
            }
            if piece.isEmpty { return }
            try stateErrors(path: other) { () throws(SystemError) in try target.write(piece) }
        }
    }

    /// Gives a finished file its name, replacing any existing file, and syncs it.
    static func replace(_ path: String, with file: String) throws(StateStoreError) {
        try stateErrors(path: path) { () throws(SystemError) in
            try FileSystem.rename(file, to: path)
        }
        try syncFolder(parent(of: path))
    }

    /// Gives a file a second name, if it exists.
    static func keep(_ path: String, as other: String) throws(StateStoreError) {
        do throws(SystemError) {
            try FileSystem.link(path, as: other)
        } catch {
            if error == .notFound { return }
            guard error.isForLackOfLinks else { throw StateStoreError(error, path: other) }
            try copy(path, to: other)
        }
    }

    static func syncFolder(_ folder: String) throws(StateStoreError) {
        try stateErrors(path: folder) { () throws(SystemError) in try Folder.sync(folder) }
    }

    /// Whether the file system reports no free space for a file.
    static func isDiskFull(at path: String) -> Bool { FileSystem.isFull(at: parent(of: path)) }
}

/// Identifies a file on this machine as long as it is open.
struct FileIdentity: Hashable {
    let device: UInt64
    let inode: UInt64

    init(_ status: FileStatus) {
        device = status.device
        inode = UInt64(status.number)
    }
}

extension StateStoreError {
    init(_ error: SystemError, path: String) {
        switch error {
        case .noSpace, .quotaExceeded: self = .diskFull(path: path)
        case .readOnlyFileSystem: self = .readOnly(path: path)
        default: self = .unreachable(path: path, reason: error.reason)
        }
    }
}

/// Translates the errors of operations on one file.
func stateErrors<Value: ~Copyable>(
    path: String,
    work: () throws(SystemError) -> Value
) throws(StateStoreError) -> Value {
    do throws(SystemError) {
        return try work()
    } catch {
        throw StateStoreError(error, path: path)
    }
}
