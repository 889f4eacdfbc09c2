import FoundationEssentials
import GRDB
import StoreTables

/// A row of `list_chunks`: consecutive rows of a list.
struct StoredListChunk {
    /// The columns from which it is read.
    static let columns = "list_chunks.checksum, start, length, registrations"

    private let checksum: Int64
    /// Nil if the value is in the state's own file.
    private let place: (start: Int, length: Int)?
    private let content: Data?

    /// `column`: the first of the columns.
    init(_ row: Row, from column: Int) throws {
        checksum = try row.decode(Int64.self, atIndex: column)
        let start = try row.decode(Int?.self, atIndex: column + 1)
        let length = try row.decode(Int?.self, atIndex: column + 2)
        if let start, let length { place = (start, length) } else { place = nil }
        content = try row.decode(Data?.self, atIndex: column + 3)
    }

    /// Returns the value as it is stored; nil if it is missing or damaged.
    ///
    /// `file`: the list's file in the folder.
    func value(in folder: ListFolder, file: String?) -> Data? {
        var value = content
        if let place, let file {
            value = folder.read(file, at: place.start, count: place.length)
        }
        return value.map { Checksum.of($0) == checksum } == true ? value : nil
    }
}
