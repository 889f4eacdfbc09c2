import Crypto
package import State

/// The rows of a list by the time zones of their people.
///
/// A person is in the zone of the person's first row that names one, and otherwise in the standard
/// zone. 2 bytes per row.
package struct ZoneParts: Sendable {
    /// The names of zones with at least one row, sorted.
    package let names: [String]
    /// The number of rows in each of them.
    package let counts: [Int]
    /// The place of each row's zone in `names`.
    private let places: [UInt16]

    /// `standard`: the zone of people without one.
    package init(_ people: ListPeople, standard: String) {
        let numbers = people.personZones
        let named = [standard] + people.zones
        var counts: [String: Int] = [:]
        var counted = [Int](repeating: 0, count: named.count)
        for number in numbers where Int(number) < counted.count { counted[Int(number)] += 1 }
        for (name, count) in zip(named, counted) where count > 0 {
            counts[name, default: 0] += count
        }
        let names = counts.keys.sorted()
        self.names = names
        self.counts = names.map { counts[$0] ?? 0 }
        let order = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, UInt16($0)) })
        let translated = named.map { order[$0] ?? .max }
        places = numbers.map { Int($0) < translated.count ? translated[Int($0)] : .max }
    }

    /// The number of rows in a zone.
    package func count(in name: String) -> Int {
        names.firstIndex(of: name).map { counts[$0] } ?? 0
    }

    /// A hash of the zones of all rows, of 16 digits.
    package var digest: String {
        var hash = SHA256()
        hash.update(data: Array(names.joined(separator: "\0").utf8))
        places.withUnsafeBytes { hash.update(bufferPointer: $0) }
        let digits = Array("0123456789abcdef")
        return String(
            hash.finalize().prefix(8).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        )
    }

    /// The zone of a row; nil if the list has no such row.
    package func zone(ofRow row: Int) -> String? {
        guard places.indices.contains(row) else { return nil }
        let place = Int(places[row])
        return names.indices.contains(place) ? names[place] : nil
    }

    /// The number of rows in the zones with earlier names.
    package func count(before name: String) -> Int {
        zip(names, counts).reduce(0) { $0 + ($1.0 < name ? $1.1 : 0) }
    }

    /// Returns the numbers of the rows in a zone, in ascending order.
    package func rows(in name: String) -> [Int] {
        guard let place = names.firstIndex(of: name).map(UInt16.init) else { return [] }
        return places.indices.filter { places[$0] == place }
    }
}
