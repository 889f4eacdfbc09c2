import CampaignModel

/// The lines of a list's rows and their files, with 4 bytes per row.
struct RowPlaces {
    private var lines: [UInt32] = []
    /// The first row of each file that has one, and the file's number.
    private var starts: [(row: Int, file: Int)] = []

    mutating func add(line: Int, file: Int) {
        if starts.last?.file != file { starts.append((lines.count, file)) }
        lines.append(UInt32(clamping: line))
    }

    /// `numbers`: the lines' numbers after the line `first`.
    mutating func add(_ numbers: [UInt32], from first: Int, file: Int) {
        guard !numbers.isEmpty else { return }
        if starts.last?.file != file { starts.append((lines.count, file)) }
        let first = UInt32(clamping: first)
        lines.append(
            contentsOf: numbers.lazy.map { $0.addingReportingOverflow(first).partialValue }
        )
    }

    func line(ofRow row: Int) -> Int { Int(lines[row]) }

    func file(ofRow row: Int) -> Int { starts.last { $0.row <= row }?.file ?? 0 }
}

/// The first registration of a list that is in it twice.
struct Repetition {
    let row: Int
    let first: Int
    /// The number of all rows that repeat an earlier one.
    let count: Int

    /// Returns nil if no fingerprint is repeated.
    init?(in fingerprints: [Fingerprint]) {
        guard fingerprints.mayRepeat else { return nil }
        var seen = FingerprintTable(capacity: fingerprints.count)
        var found: (row: Int, first: Int)?
        var count = 0
        for index in fingerprints.indices {
            guard let earlier = seen.insert(index, of: fingerprints) else { continue }
            count += 1
            found = found ?? (index, earlier)
        }
        guard let found else { return nil }
        row = found.row
        first = found.first
        self.count = count
    }

    /// Returns the error with the lines and the files of both rows.
    ///
    /// `pathOfFile`: The path of a file if the list is a pattern.
    func error(
        at places: RowPlaces,
        path: String?,
        pathOfFile: (Int) -> String?
    ) -> RegistrationListError {
        .repeated(
            line: places.line(ofRow: row),
            first: places.line(ofRow: first),
            path: pathOfFile(places.file(ofRow: row)) ?? path,
            count: count,
            firstPath: pathOfFile(places.file(ofRow: first))
        )
    }
}

extension [Fingerprint] {
    /// Whether two of them are equal; very rarely true if only their halves are.
    ///
    /// The halves are distributed to tables that fit in a core's cache.
    fileprivate var mayRepeat: Bool {
        guard count > 1 << 16 else { return true }
        let halves = HalvesByPrefix(self)
        return mapInParallel([Int](0..<HalvesByPrefix.partCount), grain: 16) { part in
            halves.hasRepeat(in: part)
        }.contains(true)
    }
}

/// The low halves of fingerprints, grouped by the first bits of the high ones.
private struct HalvesByPrefix: Sendable {
    static let partCount = 1 << bits
    private static let bits = 10

    private let halves: [UInt64]
    /// The end of each group.
    private let ends: [Int]

    init(_ fingerprints: [Fingerprint]) {
        var places = [Int](repeating: 0, count: Self.partCount)
        for fingerprint in fingerprints { places[Self.part(of: fingerprint)] += 1 }
        var total = 0
        for part in places.indices { (places[part], total) = (total, total + places[part]) }
        halves = [UInt64](unsafeUninitializedCapacity: fingerprints.count) { buffer, count in
            for fingerprint in fingerprints {
                let part = Self.part(of: fingerprint)
                buffer.initializeElement(at: places[part], to: fingerprint.low)
                places[part] += 1
            }
            count = fingerprints.count
        }
        ends = places
    }

    private static func part(of fingerprint: Fingerprint) -> Int {
        Int(truncatingIfNeeded: fingerprint.high >> UInt64(64 - bits))
    }

    func hasRepeat(in part: Int) -> Bool {
        let range = (part == 0 ? 0 : ends[part - 1])..<ends[part]
        var size = 16
        while size < range.count * 2 { size *= 2 }
        // Zero marks a free place; a half that is zero counts as repeated.
        var table = [UInt64](repeating: 0, count: size)
        for half in halves[range] {
            var place = Int(truncatingIfNeeded: half) & (size - 1)
            while table[place] != 0, table[place] != half { place = (place + 1) & (size - 1) }
            if table[place] == half { return true }
            table[place] = half
        }
        return false
    }
}
