import CampaignLoading
import FoundationEssentials
import Presentation
import SystemIO

/// Writes a template's files into a directory.
///
/// Writes none if one of them exists.
struct Scaffold {
    let root: String
    let style: TextStyle

    /// Returns the written files, one line per file.
    func write(_ template: ProjectTemplate) throws(CommandFailure) -> String {
        let files = template.files
        try refuseToOverwrite(files.map(\.path))
        for file in files { try write(file) }
        let ignoring = try ignore()
        let width = (files.map(\.path.count).max() ?? 0) + 2
        let lines = (files + (ignoring.written.map { [$0] } ?? [])).map { file in
            "  \(style.paint(file.path, in: .strong))"
                + String(repeating: " ", count: width - file.path.count) + file.purpose + "\n"
        }
        return "Created project \(template.project) with time zone \(template.timeZone):\n"
            + lines.joined() + ignoring.advice
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
        written: ProjectTemplate.File?, advice: String
    ) {
        let file = ProjectTemplate.ignoreFile
        let path = root + "/" + file.path
        guard FileStatus(path, followsLink: false) != nil else {
            try write(file)
            return (file, "")
        }
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        let lines = Set(text.split(whereSeparator: \.isNewline).map(String.init))
        let missing = ProjectTemplate.ignored.filter { !lines.contains($0) }
        guard !missing.isEmpty else { return (nil, "") }
        let list = missing.map { "  \($0)\n" }.joined()
        return (nil, "\nAdd to the existing .gitignore:\n\(list)")
    }
}
