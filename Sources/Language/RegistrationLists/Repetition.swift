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
