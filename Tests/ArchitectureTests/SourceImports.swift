import FoundationEssentials

/// The modules that one source file imports.
struct SourceImports: Hashable {
    /// The first folder of the path; empty for a file outside a wing.
    let wing: String
    /// The second folder of the path.
    let module: String
    /// Relative to the directory of the sources.
    let path: String
    let imports: Set<String>

    init(path: String, text: String) {
        let folders = path.split(separator: "/").dropLast()
        wing = String(folders.first ?? "")
        module = String(folders.dropFirst().first ?? "")
        self.path = path
        // Every second part is a string of several lines, which may be code for an app.
        let parts = text.split(separator: "\"\"\"", omittingEmptySubsequences: false)
        let lines = parts.indices.filter { $0.isMultiple(of: 2) }.flatMap {
            parts[$0].split(separator: "\n")
        }
        imports = Set(lines.compactMap(Self.imported))
    }

    private static let modifiers: Set<Substring> = [
        "package", "public", "internal", "fileprivate", "private", "@testable", "@preconcurrency",
        "@_exported", "@_implementationOnly", "@_spiOnly",
    ]
    private static let kinds: Set<Substring> = [
        "struct", "class", "enum", "protocol", "typealias", "func", "let", "var", "actor",
    ]

    /// Returns the top-level module of an import line; nil for every other line.
    static func imported(_ line: Substring) -> String? {
        var words = line.split { $0 == " " || $0 == "\t" || $0 == "\r" }[...]
        while let word = words.first, modifiers.contains(word) || word.hasPrefix("@_spi(") {
            words.removeFirst()
        }
        guard words.popFirst() == "import" else { return nil }
        if let word = words.first, kinds.contains(word) { words.removeFirst() }
        return words.first.map { String($0.prefix { $0 != "." && $0 != ";" }) }
    }
}

extension SourceImports {
    /// Returns the imports of every Swift file below a directory.
    static func all(inFolder folder: String) throws -> [SourceImports] {
        var found: [SourceImports] = []
        for wing in try names(in: folder) {
            for path in try swiftFiles(in: wing, of: folder) {
                let data = try Data(contentsOf: URL(filePath: folder + "/" + path))
                found.append(
                    SourceImports(path: path, text: String(decoding: data, as: UTF8.self))
                )
            }
        }
        return found
    }

    private static func swiftFiles(in path: String, of folder: String) throws -> [String] {
        guard !path.hasSuffix(".swift") else { return [path] }
        guard let entries = try? names(in: folder + "/" + path) else { return [] }
        return try entries.flatMap { try swiftFiles(in: path + "/" + $0, of: folder) }
    }

    private static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }
}
