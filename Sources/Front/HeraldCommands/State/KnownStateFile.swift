import FoundationEssentials
import Presentation
import State
import Synchronization
import SystemIO

/// The file with the highest serials seen on this machine, for all projects of a user.
///
/// The directory is `$XDG_STATE_HOME/herald` (default: `~/.local/state/herald`). The XDG Base
/// Directory Specification requires that relative paths are ignored. The file is replaced under a
/// lock, so that concurrent processes lose no update. A power cut may lose the last update, which
/// only weakens the check.
struct KnownStateFile {
    /// Nil if no variable determines the directory.
    private let folder: String?

    init(_ variables: [String: String]) {
        folder = Self.folder(variables)
    }

    /// The directory for what commands remember on this machine; nil if no variable determines it.
    static func folder(_ variables: [String: String]) -> String? {
        func absolute(_ name: String) -> String? {
            variables[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let parent = absolute("XDG_STATE_HOME") ?? absolute("HOME").map { $0 + "/.local/state" }
        return parent.map { $0 + "/herald" }
    }

    /// The recorded serials; empty if the file does not exist yet.
    func read() throws(SeenProblem) -> KnownSerials {
        let path = try path()
        do throws(SystemError) {
            let bytes = try File(path.path, for: .reading).readToEnd(limit: .max)
            return KnownSerials(text: String(decoding: bytes, as: UTF8.self))
        } catch {
            guard error == .notFound else { throw SeenProblem(path: path.path, error: error) }
            return KnownSerials(text: "")
        }
    }

    /// The head of the history to record with a serial.
    enum SeenHead {
        case unchanged
        case at(ChainHead)
        /// The state was replaced on purpose.
        ///
        /// Any head may follow.
        case forgotten
    }

    /// Makes a change and syncs it to disk.
    ///
    /// A change that has no effect writes nothing.
    ///
    /// - Parameter change: Returns false if it changed nothing.
    /// - Throws: The reason why the file cannot be read or written.
    private func change(_ change: (inout KnownSerials) -> Bool) throws(SeenProblem) {
        var probe = try read()
        guard change(&probe) else { return }
        let path = try path()
        try makeFolder(path.deletingLastPathComponent())
        let lock = try lock(path.path + ".lock")
        var seen = try read()
        guard change(&seen) else { return }
        try replace(path.path, with: seen.text)
        _ = consume lock
    }

    private func path() throws(SeenProblem) -> URL {
        guard let folder else {
            throw SeenProblem(reason: KnownSerialsWording.noFolder)
        }
        return URL(filePath: folder + "/seen")
    }

    private func makeFolder(_ folder: URL) throws(SeenProblem) {
        guard !FileSystem.exists(folder.path) else { return }
        do {
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw SeenProblem(reason: KnownSerialsWording.unusableFolder(folder.path))
        }
        do throws(SystemError) {
            try Folder.sync(FileSystem.parent(of: folder.path))
        } catch {
            throw SeenProblem(path: folder.path, error: error)
        }
    }

    /// The number of lock attempts, 10 ms apart.
    ///
    /// The lock is held only to read and write two small files, so a longer wait means that its
    /// holder is stopped.
    private static let patience = 200

    private func lock(_ path: String) throws(SeenProblem) -> FileLock {
        let lock: FileLock
        do throws(SystemError) {
            lock = try FileLock(path)
        } catch {
            throw SeenProblem(path: path, error: error)
        }
        guard lock.tryLock(attempts: Self.patience) else {
            throw SeenProblem(reason: KnownSerialsWording.locked(path))
        }
        return lock
    }

    private func replace(_ path: String, with text: String) throws(SeenProblem) {
        do throws(SystemError) {
            var draft = try AtomicFile(path).draft(Array(text.utf8), permissions: 0o600)
            try draft.replace(path)
            // Unlike `publish`, fails if the new name may not survive a power cut.
            try Folder.sync(FileSystem.parent(of: path))
        } catch {
            throw SeenProblem(path: path, error: error)
        }
    }
}

// MARK: - Places

extension KnownStateFile {
    /// The state that was seen at an address; nil if none was.
    func lineage(at address: StateAddress) -> StateLineage? {
        let seen = serials()
        return Self.places(of: address).lazy.compactMap { seen.lineage(at: $0) }.first
    }

    /// Records which state is at an address; nil removes the record.
    func place(_ lineage: StateLineage?, at address: StateAddress) {
        let places = Self.places(of: address)
        warning { () throws(SeenProblem) in
            try change { seen in
                places.map { seen.place(lineage, at: $0) }.contains(true)
            }
        }
    }

    /// The server's name, or the state's path as the project gives it, and with links resolved: if several projects link
    /// to a state, each of them loses it if the link or the state is lost.
    private static func places(of address: StateAddress) -> [String] {
        guard let path = address.path else { return [address.name] }
        let file = URL(filePath: path)
        let folder = file.deletingLastPathComponent()
        guard let project = RealPath.of(folder.deletingLastPathComponent().path) else { return [] }
        let folders = ["\(project)/\(folder.lastPathComponent)", RealPath.of(folder.path)]
        let paths = folders.compactMap { $0.map { "\($0)/\(file.lastPathComponent)" } }
        return paths.first == paths.last ? [paths[0]] : paths
    }
}

// Commands work without the file, with a warning.
extension KnownStateFile {
    private static let hasWarned = Mutex(false)

    /// The highest serials seen on this machine.
    func serials() -> KnownSerials {
        do throws(SeenProblem) {
            return try read()
        } catch {
            Self.warn(error)
            return KnownSerials(text: "")
        }
    }

    /// The last history entry seen on this machine.
    func head(of lineage: StateLineage) -> ChainHead? {
        (try? read())?.head(of: lineage)
    }

    /// Raises the recorded serial of a state; a serial that is not higher changes nothing.
    func keep(_ identity: StateIdentity, head: SeenHead = .unchanged) {
        warning { () throws(SeenProblem) in try change { $0.take(identity, head: head) } }
    }

    /// Records a state's current serial and head.
    func note(_ store: any StateReader & HistoryStore) async {
        guard let identity = try? await store.identity() else { return }
        await keep(identity, of: store)
    }

    private func warning(_ work: () throws(SeenProblem) -> Void) {
        do throws(SeenProblem) { try work() } catch { Self.warn(error) }
    }

    /// Records a state's current serial and head.
    ///
    /// If the state's history lacks the recorded head, keeps that head, so that the loss is
    /// reported.
    func keep(_ identity: StateIdentity, of store: any HistoryStore) async {
        var isContained = true
        if let seen = head(of: identity.lineage) {
            isContained = (try? await store.chainHead(at: seen.count)) == seen
        }
        let now = isContained ? try? await store.chainHead() : nil
        keep(identity, head: now.map { .at($0) } ?? .unchanged)
    }

    /// Warns once per process, even if several states are opened.
    private static func warn(_ problem: SeenProblem) {
        let isFirst = hasWarned.withLock { hasWarned in
            defer { hasWarned = true }
            return !hasWarned
        }
        guard isFirst else { return }
        Output.message(KnownSerialsWording.warning(because: problem.reason))
    }
}

extension KnownSerials {
    /// Returns whether anything changed.
    fileprivate mutating func take(
        _ identity: StateIdentity,
        head: KnownStateFile.SeenHead
    ) -> Bool {
        let isRaised = raise(identity.lineage, to: identity.serial)
        switch head {
        case .unchanged: return isRaised
        case .at(let head): return keep(head, of: identity.lineage) || isRaised
        case .forgotten: return keep(nil, of: identity.lineage) || isRaised
        }
    }
}

/// An error while reading or writing the highest serials.
struct SeenProblem: Error {
    let reason: String

    init(reason: String) {
        self.reason = reason
    }

    init(path: String, error: SystemError) {
        reason = "\(path): \(error.reason)"
    }
}
