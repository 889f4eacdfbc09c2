import Diagnostics
import Presentation
import SystemIO
import YAMLSyntax

/// The file in which a user allows things once for a project: `$XDG_CONFIG_HOME/herald/trust.yaml`
/// (default: `~/.config/herald/trust.yaml`).
///
///     projects:
///       /srv/push:
///         allow-commands: true
///         allow-sources: true
///         allow-path: [/data/lists]
///         allow-host: [sts.example.com]
struct TrustFile {
    /// What it says of one project.
    struct Entry {
        var allowsCommands = false
        var allowsSources = false
        var folders: [String] = []
        var hosts: [String] = []
        var variables: [String] = []
    }

    /// Nil if no variable determines the directory.
    private let path: String?

    /// The XDG Base Directory Specification requires that relative paths are ignored.
    init(_ variables: [String: String]) {
        func absolute(_ name: String) -> String? {
            variables[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let folder = absolute("XDG_CONFIG_HOME") ?? absolute("HOME").map { $0 + "/.config" }
        path = folder.map { $0 + "/herald/trust.yaml" }
    }

    private static let largest = 1 << 20

    /// The entry whose key is the project's directory, with links resolved.
    ///
    /// - Throws: A failure if other users can write the file, or if it is malformed.
    func entry(for directory: String) throws(CommandFailure) -> Entry {
        guard let path, FileSystem.exists(path) else { return Entry() }
        let bytes = try contents(of: path)
        var log = DiagnosticLog()
        let tree = YAMLParser.parse(bytes, source: SourceID(index: 0), into: &log)
        guard let tree, !log.hasErrors else {
            let first = log.errors.first
            throw CommandFailure(
                .malformedTrust(path, line: nil, because: first?.message ?? "it is not YAML")
            )
        }
        let reader = TrustReader(path: path, lines: LineTable(bytes))
        return try reader.read(tree, for: RealPath.of(directory) ?? directory)
    }

    private func contents(of path: String) throws(CommandFailure) -> [UInt8] {
        let isSafe: Bool
        let bytes: [UInt8]
        do throws(SystemError) {
            let file = try File(path, for: .reading, options: [.withoutWaiting, .refusingLinks])
            let status = try file.status()
            isSafe =
                status.isFile && status.permissions & 0o022 == 0
                && [0, CurrentProcess.userID].contains(status.owner)
            bytes = isSafe ? try file.readToEnd(limit: Self.largest) : []
        } catch {
            throw CommandFailure(.unreadableTrust(path, because: error.reason))
        }
        guard isSafe else { throw CommandFailure(.exposedTrust(path)) }
        return bytes
    }
}

/// Reads the tree of a trust file, and refuses what it does not know.
private struct TrustReader {
    let path: String
    let lines: LineTable

    func read(_ tree: SyntaxTree, for project: String) throws(CommandFailure) -> TrustFile.Entry {
        guard let document = tree.documents.first else { return TrustFile.Entry() }
        var entry = TrustFile.Entry()
        for item in try entries(of: document) {
            guard text(item.key) == "projects" else { throw unknown(item.key, in: ["projects"]) }
            for named in try entries(of: item.value) {
                let read = try self.entry(named.value)
                if text(named.key) == project { entry = read }
            }
        }
        return entry
    }

    private static let keys = [
        "allow-commands", "allow-sources", "allow-path", "allow-host", "allow-variable",
    ]

    private func entry(_ node: SyntaxNode) throws(CommandFailure) -> TrustFile.Entry {
        var entry = TrustFile.Entry()
        for item in try entries(of: node) {
            switch text(item.key) {
            case "allow-commands": entry.allowsCommands = try flag(item.value)
            case "allow-sources": entry.allowsSources = try flag(item.value)
            case "allow-path": entry.folders = try texts(item.value)
            case "allow-host": entry.hosts = try texts(item.value)
            case "allow-variable": entry.variables = try texts(item.value)
            default: throw unknown(item.key, in: Self.keys)
            }
        }
        return entry
    }

    private func flag(_ node: SyntaxNode) throws(CommandFailure) -> Bool {
        guard let word = text(node), ["true", "false"].contains(word) else {
            throw malformed(node, "write `true` or `false`")
        }
        return word == "true"
    }

    private func text(_ node: SyntaxNode) -> String? { node.scalar?.text }

    private func texts(_ node: SyntaxNode) throws(CommandFailure) -> [String] {
        let items = node.elements ?? [node]
        let texts = items.compactMap(text)
        guard texts.count == items.count, !texts.contains("") else {
            throw malformed(node, "write a text or a list of texts")
        }
        return texts
    }

    private func entries(of node: SyntaxNode) throws(CommandFailure) -> [SyntaxEntry] {
        guard let entries = node.entries else { throw malformed(node, "write a mapping") }
        return entries
    }

    private func unknown(_ key: SyntaxNode, in known: [String]) -> CommandFailure {
        let names = known.map { "`\($0)`" }.joined(separator: ", ")
        return malformed(key, "`\(text(key) ?? "")` is not one of \(names)")
    }

    private func malformed(_ node: SyntaxNode, _ reason: String) -> CommandFailure {
        CommandFailure(
            .malformedTrust(path, line: lines.line(at: node.span.start), because: reason)
        )
    }
}
