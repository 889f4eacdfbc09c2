import FoundationEssentials
import Testing

/// A case from csv-cases.ndjson, which make-csv-cases.py writes: a CSV text and Python's result for
/// it.
struct CSVCase: Decodable, CustomTestStringConvertible {
    let text: String
    /// nil if Python refuses the text in its strict mode.
    let records: [Record]?

    struct Record: Decodable, Hashable {
        let line: Int
        let fields: [String]

        init(line: Int, fields: [String]) {
            self.line = line
            self.fields = fields
        }

        init(from decoder: any Decoder) throws {
            var pair = try decoder.unkeyedContainer()
            line = try pair.decode(Int.self)
            fields = try pair.decode([String].self)
        }
    }

    var testDescription: String { text.debugDescription }

    static let all: [CSVCase] = {
        let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false)
            .dropLast().joined(separator: "/")
        guard let data = try? Data(contentsOf: URL(filePath: folder + "/csv-cases.ndjson")) else {
            return []
        }
        return data.split(separator: UInt8(ascii: "\n")).compactMap { line in
            try? JSONDecoder().decode(CSVCase.self, from: Data(line))
        }
    }()
}
