import CampaignRules
import Time

extension RuleExample {
    /// The `herald.yaml` of examples that contain none.
    static let project = File(
        path: "herald.yaml",
        text: """
            version: 1
            project: tidewatch
            timezone: Atlantic/Azores
            topics:
              tides:   { about: Tide tables, reach: 40000 }
              azores:  { about: Lives in the Azores, reach: 9000 }
              madeira: { about: Lives on Madeira, reach: 7000 }

            """
    )

    /// When the examples are checked: the first second of 2037, UTC.
    static let clock = Instant(secondsSince1970: 2_114_380_800)

    /// The files of the example, with `project` if they need it.
    var projectFiles: [File] {
        let hasProject = files.contains { $0.path == Self.project.path }
        return hasProject ? files : [Self.project] + files
    }
}

extension RuleExample.File {
    var hasRepetitions: Bool { Self.expand(text) != text }

    /// The file on the disk, with all repetitions written out.
    var bytes: [UInt8] {
        let text = Self.expand(text)
        guard isLatin1 else { return Array(text.utf8) }
        return text.unicodeScalars.map { UInt8($0.value) }
    }

    private static func expand(_ text: String) -> String {
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
