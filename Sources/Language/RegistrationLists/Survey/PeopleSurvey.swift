import CampaignModel

/// The people of a list, by its identity column.
package struct PeopleSurvey: Hashable, Sendable {
    /// The number of different people.
    package let count: Int
    /// The number of people with 2 to 20 registrations, which fit in a device group.
    package let groups: Int
    /// The number of people with more registrations.
    package let largerGroups: Int
    /// The columns in which rows of one person differ.
    package let differences: [Difference]

    /// Rows of the same people that differ in a column.
    package struct Difference: Hashable, Sendable {
        package let column: String
        /// The number of people with such rows.
        package let people: Int
        /// The first such row, and the first row of the same person.
        package let place: ListPlace
        package let firstPlace: ListPlace
    }
}

/// A line of a list's file.
package struct ListPlace: Hashable, Sendable {
    package let path: String
    /// From 1.
    package let line: Int
}

/// Collects the person, the time zone and the locale of each row.
///
/// In a set, each list may have its own columns, or none.
struct PeopleSurveyor {
    private(set) var identities: [Fingerprint] = []
    private let fingerprinter: Fingerprinter
    private var timeZones: ColumnCodes?
    private var locales: ColumnCodes?

    init(of list: RegistrationList, fingerprinter: Fingerprinter) {
        self.fingerprinter = fingerprinter
        guard list.identityColumns != nil else { return }
        timeZones = list.timeZoneColumn.map { ColumnCodes(column: $0) }
        locales = list.namedLocaleColumn.map { ColumnCodes(column: $0) }
    }

    mutating func add(_ row: ListRow) {
        guard let identity = row.identity else { return }
        identities.append(fingerprinter.fingerprint(ofIdentity: identity))
        timeZones?.add(row.timeZone.map { $0.text ?? "" })
        // Tags that differ only in case are the same locale (RFC 5646, 2.1.1).
        locales?.add(row.locale?.lowercased())
    }

    /// Returns nil if the list does not identify people.
    ///
    /// `place`: The place of a row, by its number from 0.
    consuming func finish(_ place: (Int) -> ListPlace) -> PeopleSurvey? {
        guard !identities.isEmpty else { return nil }
        var columns = [timeZones, locales].compactMap(\.self).map(ColumnDifferences.init)
        var table = FingerprintTable(capacity: identities.count)
        var sizes = [UInt32](repeating: 0, count: identities.count)
        for row in identities.indices {
            let first = table.insert(row, of: identities) ?? row
            sizes[first] += 1
            guard first != row else { continue }
            for index in columns.indices { columns[index].compare(row, with: first) }
        }
        let largest = UInt32(DeviceGroupName.largestGroup)
        return PeopleSurvey(
            count: sizes.count { $0 > 0 },
            groups: sizes.count { (2...largest).contains($0) },
            largerGroups: sizes.count { $0 > largest },
            differences: columns.compactMap { $0.difference(place) }
        )
    }
}

/// The values of a column, each as a number, with 4 bytes per row.
private struct ColumnCodes {
    let column: String
    private(set) var codes: [UInt32] = []
    private var numbers: [String: UInt32] = [:]

    init(column: String) {
        self.column = column
    }

    /// The code of a row whose list does not have the column.
    static let absent = UInt32.max

    /// `value`: nil if the row's list does not have the column.
    mutating func add(_ value: String?) {
        guard let value else {
            codes.append(Self.absent)
            return
        }
        let next = UInt32(numbers.count)
        let code = numbers[value] ?? next
        if code == next { numbers[value] = next }
        codes.append(code)
    }
}

/// Finds the people whose rows differ in a column.
private struct ColumnDifferences {
    private let values: ColumnCodes
    /// The first rows of these people.
    private var people: Set<Int> = []
    private var found: (row: Int, first: Int)?
    /// The first row with the column, by the first row of the same person without it.
    private var later: [Int: Int] = [:]

    init(_ values: ColumnCodes) {
        self.values = values
    }

    mutating func compare(_ row: Int, with first: Int) {
        guard values.codes[row] != ColumnCodes.absent else { return }
        guard let earlier = values.codes[first] == ColumnCodes.absent ? later[first] : first else {
            later[first] = row
            return
        }
        guard values.codes[row] != values.codes[earlier] else { return }
        people.insert(first)
        found = found ?? (row, earlier)
    }

    func difference(_ place: (Int) -> ListPlace) -> PeopleSurvey.Difference? {
        found.map { found in
            PeopleSurvey.Difference(
                column: values.column,
                people: people.count,
                place: place(found.row),
                firstPlace: place(found.first)
            )
        }
    }
}
