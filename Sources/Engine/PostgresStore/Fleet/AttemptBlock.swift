import Fleet
import FoundationEssentials
import PostgresClient
import StoreTables

/// The outcomes of one attempt of requests that follow each other: a row of `attempt_log`.
struct AttemptBlock: Hashable {
    let attempt: Int
    /// Counted from the first request of the unit.
    let first: Int
    /// One byte for each request; 0 if the block has no outcome of it.
    private(set) var outcomes: [UInt8]

    /// A longer block would be stored out of line, and read slowly.
    private static let mostOutcomes = 1_000
    /// A longer gap takes more space than another row.
    private static let mostMissing = 64

    static func pack(_ records: [AttemptRecord]) -> [Self] {
        let sorted = records.sorted {
            ($0.attempt, $0.request, $0.outcome) < ($1.attempt, $1.request, $1.outcome)
        }
        var blocks: [Self] = []
        for record in sorted {
            if let last = blocks.indices.last, blocks[last].takes(record) {
                blocks[last].add(record)
            } else {
                blocks.append(Self(record))
            }
        }
        return blocks
    }

    private init(_ record: AttemptRecord) {
        attempt = record.attempt
        first = record.request
        outcomes = [record.outcome.rawValue]
    }

    private func takes(_ record: AttemptRecord) -> Bool {
        record.attempt == attempt && record.request - first < Self.mostOutcomes
            && record.request - first - outcomes.count <= Self.mostMissing
    }

    /// The records are sorted, so that a later one of the same request is greater.
    private mutating func add(_ record: AttemptRecord) {
        let place = record.request - first
        while outcomes.count <= place { outcomes.append(0) }
        outcomes[place] = record.outcome.rawValue
    }

    // MARK: Rows

    /// Reads `attempt`, `first` and `outcomes`.
    init(_ row: any StoredRow, from column: Int) throws {
        attempt = try row.decode(Int.self, atIndex: column)
        first = try row.decode(Int.self, atIndex: column + 1)
        outcomes = Array(try row.decode(Data.self, atIndex: column + 2))
        guard outcomes.allSatisfy({ $0 == 0 || AttemptOutcome(rawValue: $0) != nil }) else {
            throw UnexpectedValue()
        }
    }

    var records: [AttemptRecord] {
        outcomes.enumerated().compactMap { place, byte in
            AttemptOutcome(rawValue: byte).map {
                AttemptRecord($0, of: first + place, attempt: attempt)
            }
        }
    }

    /// The parameters for arrays of `attempt`, `first`, and the place and length of `outcomes` in the
    /// bytes that follow.
    static func values(of blocks: [Self]) -> [PostgresValue] {
        var starts: [Int64] = []
        var bytes: [UInt8] = []
        for block in blocks {
            starts.append(Int64(bytes.count + 1))
            bytes += block.outcomes
        }
        return [
            .integers(blocks.map { Int64($0.attempt) }), .integers(blocks.map { Int64($0.first) }),
            .integers(starts), .integers(blocks.map { Int64($0.outcomes.count) }),
            .bytes(Data(bytes)),
        ]
    }
}

/// The requests that a unit or an occurrence leaves out: a bit for each request, the lowest first.
enum OmittedBits {
    /// Empty if no request is left out.
    ///
    /// `requests`: in order.
    static func pack(_ requests: [Int]) -> Data {
        guard let last = requests.last else { return Data() }
        var bytes = Data(count: last / 8 + 1)
        for request in requests { bytes[request / 8] |= 1 << UInt8(request % 8) }
        return bytes
    }

    /// The bits of all requests before the last one that are not in these ranges.
    ///
    /// `ranges`: in order.
    static func pack(allBut ranges: [Range<Int>]) -> Data {
        var bytes = Data(count: ((ranges.last?.lowerBound ?? 0) + 7) / 8)
        var first = 0
        for range in ranges {
            for request in first..<range.lowerBound {
                bytes[request / 8] |= 1 << UInt8(request % 8)
            }
            first = range.upperBound
        }
        return bytes
    }

    static func unpack(_ bytes: Data) -> [Int] {
        bytes.enumerated().flatMap { place, byte in
            (0..<8).filter { byte & (1 << UInt8($0)) != 0 }.map { place * 8 + $0 }
        }
    }
}
