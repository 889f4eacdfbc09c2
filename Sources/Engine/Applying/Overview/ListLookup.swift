package import CampaignModel
import RegistrationLists

/// What a list says of registrations that are looked for.
///
/// It takes 24 bytes for each of them, and the text of its columns with 4 bytes for each: a list may be much longer.
struct ListLookup {
    /// Sorted.
    private var wanted: [Fingerprint]
    /// Of each that is wanted where its values begin, from 1; 0 where the list does not have it.
    private var places: [Int]
    /// Of the first rows, whatever they are: fingerprints, and where their values begin.
    private var head: [(fingerprint: Fingerprint, place: Int)] = []
    private var values = PackedValues()
    private(set) var id: ListID?

    private init(wanted: [Fingerprint]) {
        self.wanted = wanted
        places = [Int](repeating: 0, count: wanted.count)
    }

    /// Reads the list once, to its end.
    ///
    /// `wanted`: whom to look for, sorted; `count`: how many rows to look up by their place.
    init(
        _ table: ListTable,
        _ fingerprinter: Fingerprinter,
        wanted: [Fingerprint],
        first count: Int
    ) throws(RegistrationListError) {
        self.init(wanted: wanted)
        var lookup = self
        let id = try table.forEachRow { row in
            let fingerprint = fingerprinter.fingerprint(of: row.registration)
            let values = row.values.map { $0.concealing(row.registration) }
            lookup.take(fingerprint, values, first: count)
        }
        lookup.id = id
        self = lookup
    }

    /// Of a registration that stands in the list twice the first row counts.
    private mutating func take(_ fingerprint: Fingerprint, _ row: [String], first count: Int) {
        let isHead = head.count < count
        let index = wanted.partition(fingerprint)
        let isWanted =
            index < wanted.count && wanted[index] == fingerprint && places[index] == 0
        guard isHead || isWanted else { return }
        let place = values.append(row)
        if isHead { head.append((fingerprint, place)) }
        if isWanted { places[index] = place }
    }

    /// Nil where the list does not have it.
    func values(of fingerprint: Fingerprint) -> [String]? {
        let index = wanted.partition(fingerprint)
        guard index < wanted.count, wanted[index] == fingerprint, places[index] > 0 else {
            return nil
        }
        return values[places[index]]
    }

    /// The row with this number, from 0; of the first rows.
    func row(_ number: Int) -> (fingerprint: Fingerprint, values: [String])? {
        guard head.indices.contains(number) else { return nil }
        return (head[number].fingerprint, values[head[number].place])
    }
}

extension String {
    /// A registration is never shown, wherever it stands.
    package func concealing(_ registration: Registration) -> String {
        contains(registration.token) ? "<redacted>" : self
    }
}

extension [Fingerprint] {
    /// The first place in a sorted list whose fingerprint is not below this one.
    fileprivate func partition(_ fingerprint: Fingerprint) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < fingerprint { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// Rows of text, one behind the other.
private struct PackedValues {
    private var bytes: [UInt8] = []
    private var width = 0

    /// Gives the place of the row, from 1.
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
