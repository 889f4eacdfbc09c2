package import CampaignModel
package import FoundationEssentials
import JSON
package import State
import Text

/// A row of `lists`.
package struct StoredList {
    package let id: ListID
    package let row: Int64
    /// Number of stored rows.
    package let count: Int
    package let shape: ListShape
    /// In its encrypted values.
    package let name: String

    /// The columns from which it is read.
    package static let columns = "lists.id, lists.count, kind, columns, name"

    /// Nil if its columns are invalid.
    package init?(_ list: ListID, in row: any StoredRow, from column: Int) throws {
        let names = JSONValue(stored: try row.decode(String.self, atIndex: column + 3))?.arrayValue
        let kind = try row.decode(String.self, atIndex: column + 2)
        guard let columns = names.map({ $0.compactMap(\.stringValue) }),
            let kind = RegistrationFile.Kind(rawValue: kind)
        else { return nil }
        id = list
        self.row = try row.decode(Int64.self, atIndex: column)
        count = try row.decode(Int.self, atIndex: column + 1)
        shape = ListShape(kind, columns: columns)
        name = try row.decode(String.self, atIndex: column + 4)
    }

    /// A name that no other list has.
    package static func randomName() -> String { Hexadecimal.text(of: SystemRandom.bytes(16)) }
}

/// Consecutive rows of a list as a stored value.
package struct ListValue: Sendable {
    /// The number of the first row.
    package let first: Int
    /// The number of rows.
    package let count: Int
    package let checksum: Int64
    package let bytes: [UInt8]

    package init(first: Int, count: Int, bytes: [UInt8]) {
        self.first = first
        self.count = count
        self.bytes = bytes
        checksum = Checksum.of(bytes)
    }
}

/// A list that is stored as a single value.
package struct SingleValueList {
    package let list: StoredList
    package let value: Data

    package init(_ list: StoredList, value: Data) {
        self.list = list
        self.value = value
    }
}
