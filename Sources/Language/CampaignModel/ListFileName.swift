/// The extensions in the name of a list's file.
package struct ListFileName: Hashable, Sendable {
    /// The last extension in lowercase, without one that names a compression; empty if there is
    /// none.
    package let fileExtension: String

    /// The compressions are recognized by the content of a file; its name may be any.
    package static let compressions = ["gz", "zst"]

    package init(path: String) {
        let name = path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
        let (stem, last) = Self.split(name)
        fileExtension = Self.compressions.contains(last) ? Self.split(stem).last : last
    }

    /// Returns the path without an extension that names a compression.
    package static func withoutCompression(_ path: String) -> String {
        let suffix = compressions.first { path.lowercased().hasSuffix(".\($0)") }
        return suffix.map { String(path.dropLast($0.count + 1)) } ?? path
    }

    private static func split(_ name: Substring) -> (stem: Substring, last: String) {
        guard let dot = name.lastIndex(of: ".") else { return (name, "") }
        return (name[..<dot], name[name.index(after: dot)...].lowercased())
    }
}

extension RegistrationFile.Format {
    /// Determines the format from the file's name.
    package init(path: String) {
        switch ListFileName(path: path).fileExtension {
        case "csv": self = .csv
        case "ndjson": self = .ndjson
        default: self = .text
        }
    }
}
