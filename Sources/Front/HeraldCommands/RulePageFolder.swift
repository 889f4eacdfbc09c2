import Presentation
import CampaignRules
import Diagnostics
import Text
import FoundationEssentials

/// A directory with one page per rule, and README.md as their index.
///
/// Leaves files alone that Herald did not write.
struct RulePageFolder {
    let path: String

    func write(_ pages: [RulePage]) throws(CommandFailure) {
        let files =
            [("README.md", RuleIndexMarkdown(pages: pages).text)]
            + pages.map { ("\($0.id.rawValue).md", RulePageMarkdown(page: $0).text) }
        for (name, _) in files { try refuseOther(name) }
        for (name, text) in files { try write(text, name) }
        let names = Set(files.map(\.0))
        for name in try pagesThere() where !names.contains(name) {
            try doing("\(name) can't be removed") {
                try FileManager.default.removeItem(at: url(name))
            }
            Output.message("Removed \(shown(name)).\n")
        }
        let count = pages.count.counting("page")
        Output.message("Wrote \(count) and README.md into \(TextStyle.safe(path)).\n")
    }

    private func write(_ text: String, _ name: String) throws(CommandFailure) {
        try doing("\(shown(name)) can't be written") {
            try FileManager.default.createDirectory(
                at: URL(filePath: path),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: url(name), options: .atomic)
        }
    }

    /// Refuses to overwrite a file that Herald did not write.
    private func refuseOther(_ name: String) throws(CommandFailure) {
        guard FileManager.default.fileExists(atPath: url(name).path), !isPage(name) else { return }
        throw CommandFailure(
            "\(shown(name)) is there and is none of Herald's pages",
            help: "name a folder of its own for them"
        )
    }

    /// The names of all pages that earlier runs wrote.
    private func pagesThere() throws(CommandFailure) -> [String] {
        var names: [String] = []
        try doing("\(TextStyle.safe(path)) can't be read") {
            names = try FileManager.default.contentsOfDirectory(atPath: path)
        }
        return names.sorted().filter { $0.hasSuffix(".md") && isPage($0) }
    }

    private func isPage(_ name: String) -> Bool {
        let bytes = try? Data(contentsOf: url(name))
        return bytes?.starts(with: RulePageMarkdown.mark.utf8) ?? false
    }

    private func url(_ name: String) -> URL { URL(filePath: path).appending(path: name) }

    private func shown(_ name: String) -> String { TextStyle.safe("\(path)/\(name)") }

    private func doing(_ failure: String, _ work: () throws -> Void) throws(CommandFailure) {
        do { try work() } catch {
            throw CommandFailure(failure, help: "is the folder writable?")
        }
    }
}
