import Crypto
import FoundationEssentials
import JSON
import Text

/// One link of the history's chain.
struct ChainEntry {
    /// The raw values are stored: they never change.
    enum Kind: String {
        /// The first entry: the contents before the chain.
        case start
        case begin
        /// The end of a run, including one that was found interrupted.
        case end
        case sending
        case membership
        case rename
        case pause
        case lift
        /// A requested resolution; a run performs it.
        case ask
        case settle
        /// The serial was raised to one that was seen elsewhere.
        case serial
        /// An operation without a run.
        case deed
    }

    let kind: Kind
    let run: Int64?
    let row: JSONObject

    init(_ kind: Kind, of run: Int64? = nil, row: JSONObject) {
        self.kind = kind
        self.run = run
        self.row = row
    }

    init?(content: String) {
        guard let value = JSONValue(stored: content),
            let kind = value["kind"]?.stringValue.flatMap(Kind.init(rawValue:)),
            let row = value["row"]?.objectValue
        else { return nil }
        self.init(kind, of: value["run"]?.integerValue, row: row)
    }

    var content: String {
        let value: JSONValue = [
            "kind": .string(kind.rawValue), "run": run.map { .integer($0) } ?? .null,
            "row": .object(row),
        ]
        return value.compactText
    }

    /// The value that the first entry builds on: a chain belongs to one state.
    static func origin(lineage: String) -> Data {
        Data(SHA256.hash(data: Data(lineage.utf8)))
    }

    static func digest(_ text: String) -> String {
        Data(SHA256.hash(data: Data(text.utf8))).hexadecimal
    }

    static func hash(_ content: String, after previous: Data) -> Data {
        var hash = SHA256()
        hash.update(data: previous)
        hash.update(data: Data(content.utf8))
        return Data(hash.finalize())
    }
}

extension Data {
    var hexadecimal: String { Hexadecimal.text(of: self) }
}
