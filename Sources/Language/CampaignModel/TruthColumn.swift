/// The values of a Boolean function of five variables, one bit for each of the 32 rows.
///
/// Bit *i* of a row's number is the value of variable *i*. A function of fewer variables repeats.
struct TruthColumn: Hashable, Sendable {
    let bits: UInt32

    static let never = TruthColumn(bits: 0)
    static let always = TruthColumn(bits: .max)
    static let variables = 0..<5

    /// The function that returns variable `index`, which must be in `variables`.
    static func variable(_ index: Int) -> TruthColumn { TruthColumn(bits: masks[index]) }

    private static let masks: [UInt32] = [
        0xAAAA_AAAA, 0xCCCC_CCCC, 0xF0F0_F0F0, 0xFF00_FF00, 0xFFFF_0000,
    ]

    static prefix func ! (operand: TruthColumn) -> TruthColumn { TruthColumn(bits: ~operand.bits) }

    static func & (left: TruthColumn, right: TruthColumn) -> TruthColumn {
        TruthColumn(bits: left.bits & right.bits)
    }

    static func | (left: TruthColumn, right: TruthColumn) -> TruthColumn {
        TruthColumn(bits: left.bits | right.bits)
    }

    func value(inRow row: Int) -> Bool { bits >> UInt32(row) & 1 == 1 }

    /// The function with variable `index` fixed.
    func with(_ index: Int, as value: Bool) -> TruthColumn {
        let mask = Self.masks[index]
        let width = UInt32(1) << UInt32(index)
        let kept = value ? bits & mask : bits & ~mask
        return TruthColumn(bits: kept | (value ? kept >> width : kept << width))
    }

    func depends(on index: Int) -> Bool { with(index, as: false) != with(index, as: true) }

    /// The variables that affect the value, in ascending order.
    var support: [Int] { Self.variables.filter(depends) }

    /// True if the function is true for all values of these variables.
    func forAll(_ indices: [Int]) -> TruthColumn {
        indices.reduce(self) { $0.with($1, as: false) & $0.with($1, as: true) }
    }

    /// True if the function is true for some values of these variables.
    func exists(_ indices: [Int]) -> TruthColumn {
        indices.reduce(self) { $0.with($1, as: false) | $0.with($1, as: true) }
    }
}

extension [Int] {
    /// All subsets, including the empty one, in order.
    var subsets: [[Int]] {
        reduce(into: [[]]) { found, number in found += found.map { $0 + [number] } }
    }
}
