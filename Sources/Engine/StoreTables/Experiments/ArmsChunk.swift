import FoundationEssentials
import State

/// The arms of a range of subjects as they are stored: one byte per subject, and then 8 bytes per
/// subject with a number from before the experiment, if the list has one.
package struct ArmsChunk {
    package var arms: [UInt8]
    package var covariates: [Double]?

    private static let numberSize = MemoryLayout<UInt64>.size

    package init(arms: [UInt8], covariates: [Double]?) {
        self.arms = arms
        self.covariates = covariates
    }

    /// Nil if the bytes are not those of `count` subjects.
    package init?(_ bytes: [UInt8], count: Int) {
        switch bytes.count {
        case count:
            arms = bytes
            covariates = nil
        case count * (1 + Self.numberSize):
            arms = Array(bytes.prefix(count))
            covariates = stride(from: count, to: bytes.count, by: Self.numberSize).map { first in
                let bits = (0..<Self.numberSize).reduce(UInt64(0)) { bits, place in
                    bits | UInt64(bytes[first + place]) << (8 * place)
                }
                return Double(bitPattern: bits)
            }
        default: return nil
        }
    }

    /// The number of subjects of an exposure of `count` subjects in the chunk from `first` on.
    package static func size(from first: Int, of count: Int) -> Int {
        min(PeopleChunk.size, count - first)
    }

    var bytes: [UInt8] {
        var bytes = arms
        bytes.reserveCapacity(arms.count * (1 + Self.numberSize))
        for number in covariates ?? [] {
            let bits = number.bitPattern
            for place in 0..<Self.numberSize {
                bytes.append(UInt8(truncatingIfNeeded: bits >> (8 * place)))
            }
        }
        return bytes
    }
}

extension TableStore {
    /// Erases the numbers from before experiments of rows of a record of people.
    func forgetCovariates(of rows: [Int], at people: Int64, in db: any StateDatabase) throws {
        let units = try db.numbers(
            "SELECT unit FROM exposures WHERE people = ?",
            arguments: [people]
        )
        let places = Dictionary(grouping: rows) { $0 / PeopleChunk.size * PeopleChunk.size }
        for unit in units {
            for (first, rows) in places {
                let row = try db.row(
                    "SELECT arms FROM exposure_chunks WHERE unit = ? AND first = ?",
                    arguments: [unit, first]
                )
                guard let bytes = try row.map({ [UInt8](try $0.decode(Data.self, atIndex: 0)) }),
                    let count = try self.count(of: unit, in: db),
                    var chunk = ArmsChunk(bytes, count: ArmsChunk.size(from: first, of: count)),
                    chunk.covariates != nil
                else { continue }
                for row in rows { chunk.covariates?[row - first] = 0 }
                let data = Data(chunk.bytes)
                try db.run(
                    "UPDATE exposure_chunks SET arms = ?, checksum = ? WHERE unit = ? AND first = ?",
                    arguments: [data, Checksum.of(data), unit, first]
                )
            }
        }
    }

    private func count(of unit: Int64, in db: any StateDatabase) throws -> Int? {
        try db.row("SELECT count FROM units WHERE id = ?", arguments: [unit])?
            .decode(Int.self, atIndex: 0)
    }
}
