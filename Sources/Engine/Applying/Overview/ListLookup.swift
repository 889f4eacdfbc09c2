import CampaignModel
import RegistrationLists

/// Looks up registrations in a list and returns their other columns.
///
/// It needs 24 bytes per wanted registration, plus the text of its columns with 4 bytes each. The
/// list itself may be much longer.
struct ListLookup {
    /// Sorted.
    private var wanted: [Fingerprint]
    /// The position of each wanted registration's values, from 1; 0 if the list does not contain
    /// it.
    private var places: [Int]
    /// The first rows, wanted or not: fingerprints and the positions of their values.
    private var head: [(fingerprint: Fingerprint, place: Int)] = []
    private var values = PackedValues()
    private(set) var id: ListID?

    private init(wanted: [Fingerprint]) {
        self.wanted = wanted
        places = [Int](repeating: 0, count: wanted.count)
    }

    /// Reads the list once, to its end.
    ///
    /// `wanted`: the registrations to look up, sorted; `count`: number of rows to look up by their
    /// position.
    init(
        in table: ListTable,
        with fingerprinter: Fingerprinter,
        wanted: [Fingerprint],
        first count: Int
    ) throws(RegistrationListError) {
        self.init(wanted: wanted)
        var lookup = self
        let id = try table.forEachRow(identifiedBy: fingerprinter) { row, fingerprint in
            let values = row.values.map { $0.concealing(row.registration) }
            lookup.take(fingerprint, row: values, first: count)
        }
        lookup.id = id
        self = lookup
    }

    /// Takes a row; if a registration appears twice in the list, the first row counts.
    private mutating func take(_ fingerprint: Fingerprint, row: [String], first count: Int) {
        let isHead = head.count < count
        let index = wanted.partition(fingerprint)
        let isWanted =
            index < wanted.count && wanted[index] == fingerprint && places[index] == 0
        guard isHead || isWanted else { return }
        let place = values.append(row)
        if isHead { head.append((fingerprint, place)) }
        if isWanted { places[index] = place }
    }

    /// Nil if the list does not contain it.
    func values(of fingerprint: Fingerprint) -> [String]? {
        let index = wanted.partition(fingerprint)
        guard index < wanted.count, wanted[index] == fingerprint, places[index] > 0 else {
            return nil
        }
        return values[places[index]]
    }

    /// Returns the row with this number, from 0; only for the first rows.
    func row(_ number: Int) -> (fingerprint: Fingerprint, values: [String])? {
        guard head.indices.contains(number) else { return nil }
        return (head[number].fingerprint, values[head[number].place])
    }
}

extension [Fingerprint] {
    /// Returns the first position in a sorted list whose fingerprint is not below this one.
    fileprivate func partition(_ fingerprint: Fingerprint) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < fingerprint { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// Concatenated rows of text.
private struct PackedValues {
    private var bytes: [UInt8] = []
    private var width = 0

    /// Returns the position of the row, from 1.
    mutating func append(_ row: [String]) -> Int {
        let place = bytes.count + 1
        width = row.count
        for text in row {
            withUnsafeBytes(of: UInt32(text.utf8.count).littleEndian) { bytes += $0 }
            bytes += text.utf8
        }
        return place
    }

    subscript(place: Int) -> [String] {
        var position = place - 1
        return (0..<width).map { _ in
            let length = bytes[position..<position + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
            defer { position += 4 + length }
            return String(decoding: bytes[position + 4..<position + 4 + length], as: UTF8.self)
        }
    }
}
