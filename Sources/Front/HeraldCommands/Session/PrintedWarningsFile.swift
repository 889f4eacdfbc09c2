import Diagnostics
import FoundationEssentials
import Presentation
import SystemIO
import Text

/// The file with the warnings that commands printed for a project, in the user's state directory.
///
/// Commands work without it: then they print all warnings.
struct PrintedWarningsFile {
    /// Nil if there is no directory for it.
    private let path: String?

    /// `project`: the project directory.
    init(_ variables: [String: String], project: String) {
        let folder = KnownStateFile.folder(variables)
        let name = RealPath.of(project).map { StableHash.text(of: $0) }
        path =
            if let folder, let name { "\(folder)/warnings/\(name)" } else { nil }
    }

    /// The maximum size of the file, which has one short line per warning.
    private static let limit = 1 << 20

    /// Empty if there is no file yet, or if it cannot be read.
    func read() -> PrintedWarnings {
        guard let path, case .bytes(let bytes) = FileContents(of: path, limit: Self.limit) else {
            return PrintedWarnings(text: "")
        }
        return PrintedWarnings(text: String(decoding: bytes, as: UTF8.self))
    }

    /// Remembers the warnings among findings that this command prints.
    func add(_ findings: [Diagnostic], in catalog: SourceCatalog) {
        guard let path, findings.contains(where: { $0.severity == .warning }) else { return }
        let old = read()
        let text = old.adding(findings, in: catalog).text
        guard text != old.text else { return }
        try? FileManager.default.createDirectory(
            atPath: FileSystem.parent(of: path),
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try? AtomicFile(path).write(Array(text.utf8), permissions: 0o600)
    }
}
