import FoundationEssentials

/// A Markdown file that specifies behaviour: files in fenced blocks, and Herald's output for them.
///
/// The info string of the output's block is `text output`. A file's block has its path after the
/// language: ```` ```yaml campaigns/tides.yaml ````.
package struct Specification: Sendable {
    package let name: String
    package let files: [(path: String, text: String)]
    package let output: String

    /// nil if there is no output, or if a block is never closed.
    package init?(name: String, markdown: String) {
        var blocks: [(info: String, lines: [Substring])] = []
        var isOpen = false
        for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                if !isOpen { blocks.append((String(line.dropFirst(3)), [])) }
                isOpen.toggle()
            } else if isOpen {
                blocks[blocks.count - 1].lines.append(line)
            }
        }
        let outputs = blocks.filter { $0.info == "text output" }
        guard !isOpen, outputs.count == 1, let output = outputs.first else { return nil }
        self.name = name
        self.output = Self.text(output.lines)
        files = blocks.compactMap { block in
            let words = block.info.split(separator: " ")
            guard words.count == 2, words[0] == "yaml" else { return nil }
            return (String(words[1]), Self.text(block.lines))
        }
    }

    private static func text(_ lines: [Substring]) -> String {
        lines.map { $0 + "\n" }.joined()
    }
}

extension Specification: CustomStringConvertible {
    package var description: String { name }
}

extension Specification {
    /// Returns every `.md` file of a directory, sorted by name.
    package static func all(inFolder folder: String) throws -> [Specification] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        return try names.filter { $0.hasSuffix(".md") }.sorted().map { name in
            let data = try Data(contentsOf: URL(filePath: folder + "/" + name))
            let text = String(decoding: data, as: UTF8.self)
            guard let specification = Specification(name: name, markdown: text) else {
                throw BrokenSpecification(name: name)
            }
            return specification
        }
    }
}

/// A file of the directory is not a runnable specification.
package struct BrokenSpecification: Error {
    package let name: String
}
