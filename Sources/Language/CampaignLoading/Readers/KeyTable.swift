/// The names of a mapping's keys by their places, at most 128.
struct KeyTable: Sendable {
    let names: [String]

    init(_ names: [String]) {
        precondition(names.count <= KeySet.capacity)
        self.names = names
    }

    /// Tables are short: comparing the names is faster than hashing one.
    func place(of name: String) -> Int? {
        let length = name.utf8.count
        for place in names.indices where names[place].utf8.count == length {
            if names[place] == name { return place }
        }
        return nil
    }

    func set(_ names: [String]) -> KeySet {
        names.compactMap(place).reduce(into: KeySet()) { $0.insert($1) }
    }
}

/// A set of keys of one table, by their places.
struct KeySet: Hashable, Sendable {
    static let capacity = 128
    private var bits: UInt128 = 0

    var isEmpty: Bool { bits == 0 }
    var count: Int { bits.nonzeroBitCount }

    mutating func insert(_ place: Int) { bits |= 1 << UInt128(place) }
    func contains(_ place: Int) -> Bool { bits >> UInt128(place) & 1 == 1 }
    func isDisjoint(with other: KeySet) -> Bool { bits & other.bits == 0 }
    func intersection(_ other: KeySet) -> KeySet { KeySet(bits: bits & other.bits) }
    func subtracting(_ other: KeySet) -> KeySet { KeySet(bits: bits & ~other.bits) }

    init() {}

    private init(bits: UInt128) {
        self.bits = bits
    }
}

extension String {
    /// Whether the key begins with `x-` and so belongs to the author.
    var isAuthorsKey: Bool { utf8.starts(with: "x-".utf8) }
}
