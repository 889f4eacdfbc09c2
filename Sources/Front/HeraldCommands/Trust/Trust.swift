import FoundationEssentials
import Presentation
import State
import Synchronization
import SystemIO

/// What the operator allows the files of a project to do.
///
/// A project's files are untrusted: whoever can open a pull request writes them. Options and a file
/// in the user's own configuration are not part of the project. A class, because it remembers what
/// was used, for the run's record.
final class Trust: Sendable {
    private let isCommandAllowed: Bool
    private let areSourcesAllowed: Bool
    private let folders: [String]
    private let hosts: Set<String>
    private let variables: Set<String>
    private let used = Mutex<Set<String>>([])
    /// The project's directory.
    private let directory: String

    /// - Throws: A failure if the user's file cannot be read as one.
    init(_ options: ProjectOptions, variables: [String: String]) throws(CommandFailure) {
        let entry = try TrustFile(variables).entry(for: options.directory)
        directory = options.directory
        isCommandAllowed = options.trust.allowCommands || entry.allowsCommands
        areSourcesAllowed = options.trust.allowSources ?? entry.allowsSources
        folders = options.trust.allowPath + entry.folders
        self.variables = Set(options.trust.allowVariable + entry.variables)
        hosts = Set((options.trust.allowHost + entry.hosts).map { $0.lowercased() })
    }

    /// The consents that were needed so far, as options, sorted.
    var usedOptions: [String] { used.withLock { $0.sorted() } }

    /// - Throws: A failure unless commands are allowed.
    func requireCommand(_ command: String) throws(CommandFailure) {
        guard isCommandAllowed else {
            throw CommandFailure(.untrustedCommand(command), exit: .refusedByGuard)
        }
        note("--allow-commands")
    }

    /// Whether the sources of `herald.yaml` may be read, which counts as use of the consent.
    func allowsSources() -> Bool {
        if areSourcesAllowed { note("--allow-sources") }
        return areSourcesAllowed
    }

    /// The bounds for the project's lists.
    var bounds: FolderBounds { FolderBounds(directory, and: folders) }

    /// - Throws: A failure if the file is outside of the project and of the allowed directories.
    func requirePath(_ path: String) throws(CommandFailure) {
        guard !FolderBounds(directory).contain(path) else { return }
        guard let folder = folders.first(where: { FolderBounds($0).contain(path) }) else {
            throw CommandFailure(
                .untrustedPath(path, folder: Self.folder(of: path)),
                exit: .refusedByGuard
            )
        }
        note("--allow-path " + folder)
    }

    /// The directory to allow for a path: that of the file to which it leads.
    private static func folder(of path: String) -> String {
        let real = RealPath.of(path) ?? path
        let isFolder = FileStatus(real, followsLink: false)?.isFolder == true
        return isFolder ? real : FileSystem.parent(of: real)
    }

    func isInProject(_ path: String) -> Bool { FolderBounds(directory).contain(path) }

    /// The directories outside of the project that contain one of these files, for the record.
    func noteUse(of paths: [String]) {
        for path in paths where !isInProject(path) {
            if let folder = folders.first(where: { FolderBounds($0).contain(path) }) {
                note("--allow-path " + folder)
            }
        }
    }

    /// Whether an identity or a token may be sent to a host that is not Google's.
    func allows(host: String) -> Bool {
        guard hosts.contains(host.lowercased()) else { return false }
        note("--allow-host " + host.lowercased())
        return true
    }

    /// The variables whose values may not be shown.
    func hidden(_ inserted: [String: String]) -> [String: String] {
        inserted.filter { !variables.contains($0.key) }
    }

    private func note(_ option: String) {
        used.withLock { _ = $0.insert(option) }
    }
}

extension Worker {
    /// The same process, with the consents that it has used so far.
    func noting(_ trust: Trust) -> Worker {
        var worker = self
        worker.bypasses += trust.usedOptions.filter { !worker.bypasses.contains($0) }
        return worker
    }
}
