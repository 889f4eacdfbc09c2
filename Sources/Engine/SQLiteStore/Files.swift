import Glibc
import State

/// File operations that SQLite does not perform for the store.
enum Files {
    /// Nil if there is no file, or if it is not accessible.
    static func size(of path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    /// Identifies a file regardless of its name; nil if there is none that is accessible.
    static func identity(of path: String) -> FileIdentity? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }

    static func isMissing(_ path: String) throws(StateStoreError) -> Bool {
        var status = stat()
        guard stat(path, &status) != 0 else { return false }
        let number = errno
        guard number == ENOENT else { throw StateStoreError(errno: number, path: path) }
        return true
    }

    /// Creates a folder and its parents, accessible only to the user, and syncs them.
    static func makeFolder(_ folder: String) throws(StateStoreError) {
        guard try isMissing(folder) else { return }
        let parent = parent(of: folder)
        try makeFolder(parent)
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw StateStoreError(errno: errno, path: folder)
        }
        try syncFolder(parent)
    }

    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Creates an empty file that only the user can read, as a draft of the file at `path`; fails
    /// if the draft exists.
    static func makeDraft(_ draft: String, of path: String) throws(StateStoreError) {
        let descriptor = open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StateStoreError(errno: errno, path: path) }
        close(descriptor)
    }

    static func remove(_ path: String) {
        unlink(path)
    }

    /// Gives a finished file its name and syncs it; an existing file with that name stays.
    static func publish(_ file: String, as path: String) throws(StateStoreError) {
        if link(file, path) == 0 || errno == EEXIST {
            remove(file)
        } else if ![EPERM, ENOSYS, EOPNOTSUPP, EMLINK].contains(errno) || rename(file, path) != 0 {
            // File systems without hard links use rename, which would replace.
            throw StateStoreError(errno: errno, path: path)
        }
        try syncFolder(parent(of: path))
    }

    /// Copies a file to a new path; only the user can read the copy.
    static func copy(_ path: String, to other: String) throws(StateStoreError) {
        let source = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard source >= 0 else { throw StateStoreError(errno: errno, path: path) }
        defer { close(source) }
        try makeDraft(other, of: other)
        let target = open(other, O_WRONLY | O_CLOEXEC)
        guard target >= 0 else { throw StateStoreError(errno: errno, path: other) }
        defer { close(target) }
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(source, &piece, piece.count)
            if count == 0 { return }
            guard count > 0, write(target, piece, count) == count else {
                throw StateStoreError(errno: errno, path: count < 0 ? path : other)
            }
        }
    }

    /// Gives a finished file its name, replacing any existing file, and syncs it.
    static func replace(_ path: String, with file: String) throws(StateStoreError) {
        guard rename(file, path) == 0 else { throw StateStoreError(errno: errno, path: path) }
        try syncFolder(parent(of: path))
    }

    /// Gives a file a second name, if it exists.
    static func keep(_ path: String, as other: String) throws(StateStoreError) {
        guard link(path, other) != 0 else { return }
        switch errno {
        case ENOENT: return
        // File systems without hard links.
        case EPERM, ENOSYS, EOPNOTSUPP, EMLINK: try copy(path, to: other)
        case let number: throw StateStoreError(errno: number, path: other)
        }
    }

    /// Some file systems cannot sync a folder and return `EINVAL`; they do not need it.
    static func syncFolder(_ folder: String) throws(StateStoreError) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StateStoreError(errno: errno, path: folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 || errno == EINVAL else {
            throw StateStoreError(errno: errno, path: folder)
        }
    }

    /// Whether the file system reports no free space for a file.
    static func isDiskFull(at path: String) -> Bool {
        var status = statvfs()
        guard statvfs(parent(of: path), &status) == 0 else { return false }
        return status.f_blocks > 0
            && (status.f_bavail == 0 || status.f_files > 0 && status.f_favail == 0)
    }
}

/// Identifies a file on this machine as long as it is open.
struct FileIdentity: Hashable {
    let device: UInt64
    let inode: UInt64
}

extension StateStoreError {
    init(errno number: CInt, path: String) {
        switch number {
        case ENOSPC, EDQUOT: self = .diskFull(path: path)
        case EROFS: self = .readOnly(path: path)
        default: self = .unreachable(path: path, reason: String(cString: strerror(number)))
        }
    }
}
