/// Numbers different people in the order of their first rows, with 12 to 24 bytes per row.
///
/// Without the fingerprint key, an attacker cannot choose the keys, so any of their bits are a good
/// hash.
struct PeopleTable: Sendable {
    /// The person of each row; `none` for an erased row.
    let rows: [UInt32]
    /// The key of each person.
    private let keys: [UInt64]
    /// The person in each place; `none` if the place is free.
    private let places: [UInt32]

    static let none = UInt32.max

    /// - Parameter all: The key of each row; 0 if the row was erased.
    init(_ all: [UInt64]) {
        var size = 16
        while size < all.count * 2 { size *= 2 }
        var places = [UInt32](repeating: Self.none, count: size)
        var keys: [UInt64] = []
        rows = places.withUnsafeMutableBufferPointer { places in
            all.map { key in
                guard key != 0 else { return Self.none }
                var place = Int(truncatingIfNeeded: key) & (size - 1)
                while places[place] != Self.none {
                    if keys[Int(places[place])] == key { return places[place] }
                    place = (place + 1) & (size - 1)
                }
                let number = UInt32(truncatingIfNeeded: keys.count)
                places[place] = number
                keys.append(key)
                return number
            }
        }
        self.keys = keys
        self.places = places
    }

    /// The number of different people.
    var count: Int { keys.count }

    /// Returns the person with a key; `none` if there is none.
    func number(of key: UInt64) -> UInt32 {
        guard key != 0 else { return Self.none }
        let mask = places.count - 1
        var place = Int(truncatingIfNeeded: key) & mask
        while places[place] != Self.none {
            if keys[Int(places[place])] == key { return places[place] }
            place = (place + 1) & mask
        }
        return Self.none
    }
}
