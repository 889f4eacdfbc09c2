import FoundationEssentials
import Testing

/// One case of the YAML test suite.
struct SuiteCase: Decodable, Sendable, CustomTestStringConvertible {
    let id: String
    let name: String
    let yaml: String
    /// In the suite's notation.
    let events: [String]
    /// Whether parsers should refuse the text.
    let fails: Bool

    var testDescription: String { "\(id) \(name)" }

    /// Empty if the file cannot be read, which the test of the count detects.
    static let all = (try? load()) ?? []

    private static func load() throws -> [SuiteCase] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let file = folder.appending(path: "yaml-test-suite/cases.jsonl")
        return try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).map {
            try JSONDecoder().decode(SuiteCase.self, from: Data($0))
        }
    }
}
