import State
import SystemIO

/// The files that SQLite uses for one state, as they were when the state was opened.
///
/// A state is a file with one name, next to its write-ahead log and the log's index. If one of the
/// three is moved, removed or replaced while a process writes, what the process records is lost.
struct StatePlace: Sendable {
    private let path: String
    private let file: FileIdentity
    private let log: FileIdentity?
    private let index: FileIdentity?

    /// Describes the files of an open connection.
    init(of path: String, file: FileIdentity) {
        self.path = path
        self.file = file
        log = Files.identity(of: path + "-wal")
        index = Files.identity(of: path + "-shm")
    }

    /// - Throws: `.displaced` if a file is no longer in its place.
    func check(_ descriptor: StateDescriptor) throws(StateStoreError) {
        guard Files.identity(of: path) == file else {
            throw .displaced(path: path, what: .state)
        }
        guard let links = descriptor.linkCount, links == 1 else {
            throw .displaced(path: path, what: .secondName)
        }
        guard log == nil || Files.identity(of: path + "-wal") == log,
            index == nil || Files.identity(of: path + "-shm") == index
        else { throw .displaced(path: path, what: .log) }
    }

    /// - Throws: `.unsuitable` if the path cannot hold a state: the state would be reachable with
    ///   another write-ahead log or another lock.
    static func checkSuitable(_ path: String) throws(StateStoreError) {
        guard let status = FileStatus(path, followsLink: false) else { return }
        if status.isLink { throw .unsuitable(path: path, reason: .link) }
        guard status.isFile else { throw .unsuitable(path: path, reason: .noFile) }
        guard status.linkCount == 1 else {
            throw .unsuitable(path: path, reason: .severalNames(status.linkCount))
        }
        guard let mount = Mount.of(path) else { return }
        if mount.point == RealPath.of(path) {
            throw .unsuitable(path: path, reason: .mountPoint)
        }
        try checkLocal(mount, path: path)
    }

    /// - Throws: `.unsuitable` if the folder of a new state is on a network file system.
    static func checkFolder(of path: String) throws(StateStoreError) {
        var folder = Files.parent(of: path)
        while try Files.isMissing(folder), folder != "." { folder = Files.parent(of: folder) }
        guard let mount = Mount.of(folder) else { return }
        try checkLocal(mount, path: path)
    }

    private static func checkLocal(_ mount: Mount, path: String) throws(StateStoreError) {
        guard !mount.isNetwork else {
            throw .unsuitable(path: path, reason: .network(type: mount.type))
        }
    }
}
