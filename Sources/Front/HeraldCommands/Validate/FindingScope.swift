import CampaignModel
import Diagnostics
import FoundationEssentials
import Presentation

/// The project's files to which a command limits its findings.
///
/// All files are read anyway, because rules check across files.
struct FindingScope {
    /// Paths relative to the project's directory.
    ///
    /// An empty path is that directory itself.
    private let paths: [String]

    /// - Throws: A failure if a path is missing or outside of the project.
    init(_ paths: [String], directory: String) throws(CommandFailure) {
        var meant: [String] = []
        for path in paths { meant.append(try Self.meaning(of: path, in: directory)) }
        self.paths = meant
    }

    /// Whether to report a finding.
    ///
    /// A finding without a location is always reported.
    func includes(_ finding: Diagnostic, in catalog: SourceCatalog) -> Bool {
        finding.span.map { includes(catalog.path(of: $0.source)) } ?? true
    }

    func includes(_ path: String) -> Bool {
        paths.isEmpty
            || paths.contains { $0.isEmpty || path == $0 || path.hasPrefix($0 + "/") }
    }

    /// The message if there are no findings.
    func summary(_ project: Project?) -> String {
        guard paths.allSatisfy(\.isEmpty) else {
            return NoFindingsWording.text(of: paths)
        }
        guard let project else { return "" }
        return NoFindingsWording.text(
            campaigns: project.campaigns.count,
            audiences: project.audiences.count
        )
    }

    private static func meaning(
        of path: String,
        in directory: String
    ) throws(CommandFailure) -> String {
        let project = URL(filePath: directory).standardizedFileURL.path
        let places = path.hasPrefix("/") ? [path] : [path, directory + "/" + path]
        let candidates = places.map { URL(filePath: $0).standardizedFileURL.path }
        for full in candidates where !path.isEmpty && FileManager.default.fileExists(atPath: full) {
            if full == project { return "" }
            if full.hasPrefix(project + "/") { return String(full.dropFirst(project.count + 1)) }
        }
        throw CommandFailure(.noFile(at: path), exit: .usage)
    }
}
