import CampaignLoading
import FoundationEssentials
import Presentation
import SystemIO

/// Writes a template's files into a directory.
///
/// Writes none if one of them exists.
struct Scaffold {
    let root: String

    /// The written files, and what they do not contain.
    struct Written {
        let files: [NewProjectTextView.File]
        /// The patterns that an existing `.gitignore` lacks.
        let missingPatterns: [String]
    }

    func write(_ template: ProjectTemplate) throws(CommandFailure) -> Written {
        let files = template.files
        try refuseToOverwrite(files.map(\.path))
        for file in files { try write(file) }
        let ignoring = try ignore()
        let written = files + (ignoring.written.map { [$0] } ?? [])
        return Written(
            files: written.map { NewProjectTextView.File($0.path, for: $0.purpose) },
            missingPatterns: ignoring.missing
        )
    }

    private func refuseToOverwrite(_ paths: [String]) throws(CommandFailure) {
        let there = paths.filter { FileStatus(root + "/" + $0, followsLink: false) != nil }
        guard !there.isEmpty else { return }
        throw CommandFailure(.existingFiles(there))
    }

    private func write(_ file: ProjectTemplate.File) throws(CommandFailure) {
        let place = URL(filePath: root + "/" + file.path)
        do {
            try FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(file.text.utf8).write(to: place, options: .withoutOverwriting)
        } catch {
            throw CommandFailure(.unwritableFolder(of: place.path))
        }
    }

    /// Creates `.gitignore`.
    ///
    /// Never edits an existing one, but reports its missing patterns.
    private func ignore() throws(CommandFailure) -> (
        written: ProjectTemplate.File?, missing: [String]
    ) {
        let file = ProjectTemplate.ignoreFile
        let path = root + "/" + file.path
        guard FileStatus(path, followsLink: false) != nil else {
            try write(file)
            return (file, [])
        }
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        let lines = Set(text.split(whereSeparator: \.isNewline).map(String.init))
        return (nil, ProjectTemplate.ignored.filter { !lines.contains($0) })
    }
}
