package import Time

/// The files of a small project in one text.
///
/// A line `=== PATH` begins a file, and `=== PATH in ISO 8859-1` a file with that encoding. Text
/// above the first such line is `campaigns/example.yaml`. Without a `herald.yaml`, the one of
/// `RuleExample.project` is used. `⟨TEXT×N⟩` means N repetitions of the text, with `#` in it
/// counting from 1.
package struct RuleExample: Sendable, ExpressibleByStringLiteral {
    package struct File: Sendable {
        package let path: String
        /// The text for readers.
        package let text: String
        package let isLatin1: Bool

        /// Whether the text contains repetitions that are not expanded.
        package var hasRepetitions: Bool { RuleExample.written(text) != text }

        /// The content on disk.
        package var bytes: [UInt8] {
            let text = RuleExample.written(text)
            guard isLatin1 else { return Array(text.utf8) }
            return text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        }
    }

    package let files: [File]

    package init(stringLiteral text: String) {
        var files: [File] = []
        var path = Self.campaignFile
        var lines: [Substring] = []
        func end() {
            guard !lines.isEmpty else { return }
            files.append(File(head: path, lines: lines))
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.hasPrefix(Self.mark) else {
                lines.append(line)
                continue
            }
            end()
            path = String(line.dropFirst(Self.mark.count))
            lines = []
        }
        end()
        self.files = files
    }

    /// The example's files, including those that every project has.
    package var projectFiles: [File] {
        let hasProject = files.contains { $0.path == Self.project.path }
        return hasProject ? files : [Self.project] + files
    }

    /// The `herald.yaml` of examples without their own.
    package static let project = File(
        path: "herald.yaml",
        text: """
            version: 1
            project: tidewatch
            timezone: Atlantic/Azores
            topics:
              tides:   { about: Tide tables, reach: 40000 }
              azores:  { about: Lives in the Azores, reach: 9000 }
              madeira: { about: Lives on Madeira, reach: 7000 }

            """,
        isLatin1: false
    )

    /// The time at which examples are checked: the first second of 2037, UTC.
    package static let clock = Instant(secondsSince1970: 2_114_380_800)

    private static let mark = "=== "
    private static let campaignFile = "campaigns/example.yaml"

    /// Returns the text with all repetitions expanded.
    private static func written(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "⟨"),
            let close = rest[open...].firstIndex(of: "⟩"),
            let times = rest[open..<close].lastIndex(of: "×"),
            let count = Int(rest[rest.index(after: times)..<close])
        {
            result += rest[..<open]
            let repeated = rest[rest.index(after: open)..<times]
            for number in 0..<count {
                result += repeated.split(separator: "#", omittingEmptySubsequences: false)
                    .joined(separator: String(number + 1))
            }
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }
}

extension RuleExample.File {
    fileprivate init(head: String, lines: [Substring]) {
        let encoding = " in ISO 8859-1"
        let isLatin1 = head.hasSuffix(encoding)
        var text = lines.joined(separator: "\n")
        if !text.hasSuffix("\n") { text += "\n" }
        self.init(
            path: isLatin1 ? String(head.dropLast(encoding.count)) : head,
            text: text,
            isLatin1: isLatin1
        )
    }
}
