/// A set of numbers from 0 to 63.
struct NumberSet: Hashable, Sendable {
    private var bits: UInt64 = 0

    init() {}

    init(_ numbers: some Sequence<Int>) {
        for number in numbers { insert(number) }
    }

    var isEmpty: Bool { bits == 0 }
    var numbers: [Int] { (0..<64).filter(contains) }

    /// - Parameter number: 0 to 63.
    mutating func insert(_ number: Int) { bits |= 1 << UInt64(number) }

    mutating func formUnion(_ other: NumberSet) { bits |= other.bits }
    mutating func formIntersection(_ other: NumberSet) { bits &= other.bits }

    func contains(_ number: Int) -> Bool {
        (0..<64).contains(number) && bits & (1 << UInt64(number)) != 0
    }

    /// Returns the smallest number that is at least `lower`.
    func first(from lower: Int) -> Int? {
        guard lower < 64 else { return nil }
        let rest = bits >> UInt64(lower)
        return rest == 0 ? nil : lower + rest.trailingZeroBitCount
    }
}
