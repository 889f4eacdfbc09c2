import CampaignModel
import Crypto
package import State
import Time

/// The rows of a list by the parts of a campaign: by the time zones of their people, or by their
/// times.
///
/// A person is in the zone of the person's first row that names one, and otherwise in the standard
/// zone. 2 bytes per row.
package struct ZoneParts: Sendable {
    /// The names of parts with at least one row, sorted.
    package let names: [String]
    /// The number of rows in each of them.
    package let counts: [Int]
    /// The number of rows in the parts before each of them.
    private let firsts: [Int]
    /// The number of rows in none of them.
    package let leftOut: Int
    /// The place of each row's part in `names`.
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
        leftOut = 0
        self.counts = names.map { counts[$0] ?? 0 }
        firsts = Self.firsts(self.counts)
        let order = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, UInt16($0)) })
        let translated = named.map { order[$0] ?? .max }
        places = numbers.map { Int($0) < translated.count ? translated[Int($0)] : .max }
    }

    /// The slots of rows with their own times; rows without a time are in no part.
    ///
    /// - Parameters:
    ///   - times: The time of each row; empty if it has none.
    ///   - people: The people of the rows; nil if their zones are not known.
    ///   - standard: The zone of people without one.
    package init(
        times: some Sequence<String>,
        people: ListPeople?,
        standard: String
    ) {
        let zones = people?.personZones ?? []
        let named = [standard] + (people?.zones ?? [])
        var known: [TimeInZone: Int] = [:]
        var slots: [String] = []
        var counted: [Int] = []
        var rows: [Int] = []
        for (row, time) in times.enumerated() {
            guard !time.isEmpty else {
                rows.append(-1)
                continue
            }
            let key = TimeInZone(time: time, zone: row < zones.count ? Int(zones[row]) : 0)
            if let place = known[key] {
                counted[place] += 1
                rows.append(place)
            } else {
                known[key] = slots.count
                rows.append(slots.count)
                slots.append(key.slot(in: named))
                counted.append(1)
            }
        }
        // Two spellings of a zone, such as none and the standard one, may be the same slot.
        var totals: [String: Int] = [:]
        for (slot, count) in zip(slots, counted) { totals[slot, default: 0] += count }
        let names = totals.keys.sorted()
        self.names = names
        counts = names.map { totals[$0] ?? 0 }
        firsts = Self.firsts(counts)
        leftOut = rows.count { $0 < 0 }
        let order = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        let translated = slots.map { UInt16(clamping: order[$0] ?? Int(UInt16.max)) }
        places = rows.map { $0 < 0 ? .max : translated[$0] }
    }

    private static func firsts(_ counts: [Int]) -> [Int] {
        var first = 0
        return counts.map { count in
            defer { first += count }
            return first
        }
    }

    /// The maximum number of different slots of rows with their own times.
    package static let maximumCount = 10_000

    /// The number of rows in a zone.
    package func count(in name: String) -> Int {
        place(of: name).map { counts[$0] } ?? 0
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
        place(of: name).map { firsts[$0] } ?? 0
    }

    private func place(of name: String) -> Int? {
        let place = names.partitionIndex { $0 >= name }
        return place < names.count && names[place] == name ? place : nil
    }

    /// Returns the numbers of the rows in a zone, in ascending order.
    package func rows(in name: String) -> [Int] {
        guard let place = place(of: name).map(UInt16.init) else { return [] }
        return places.indices.filter { places[$0] == place }
    }
}

/// The time of a row and the number of its zone.
struct TimeInZone: Hashable {
    let time: String
    let zone: Int

    /// A local time depends on the zone.
    func slot(in zones: [String]) -> String {
        guard case .local? = RecipientTime(parsing: time), zones.indices.contains(zone) else {
            return time
        }
        return "\(time)[\(zones[zone])]"
    }
}
