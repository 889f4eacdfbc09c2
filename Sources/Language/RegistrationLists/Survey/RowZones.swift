/// The time zone of each row of a list, with 2 bytes per row.
package struct RowZones: Hashable, Sendable {
    /// The different names, in the order of their first row.
    package private(set) var names: [String] = []
    /// The number of each row's name, from 1; 0 if the row names no zone.
    package private(set) var numbers: [UInt16] = []

    private var known: [String: UInt16] = [:]

    mutating func add(_ name: String?) {
        numbers.append(name.map { number(of: $0) } ?? 0)
    }

    private mutating func number(of name: String) -> UInt16 {
        guard !name.isEmpty else { return 0 }
        if let number = known[name] { return number }
        // The database has fewer than 1,000 zones, and its names were checked.
        guard names.count < Int(UInt16.max) else { return 0 }
        names.append(name)
        let number = UInt16(names.count)
        known[name] = number
        return number
    }
}
