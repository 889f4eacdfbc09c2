/// Reads bytes from front to back; what does not match is left where it is.
package struct ASCIIScanner {
    private var rest: ArraySlice<UInt8>

    package init(_ bytes: some Sequence<UInt8>) {
        rest = Array(bytes)[...]
    }

    package var isAtEnd: Bool { rest.isEmpty }

    package var next: UInt8? { rest.first }

    /// Steps over one character if it comes next.
    package mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard let first = rest.first, first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    /// The longest run of bytes that `belongs` accepts; possibly empty.
    package mutating func run(while belongs: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let run = rest.prefix(while: belongs)
        rest = rest.dropFirst(run.count)
        return run
    }

    /// All the decimal digits that come next, if there are as many as `digits` says (at most 18,
    /// so that the number fits).
    package mutating func number(digits: ClosedRange<Int>) -> Int? {
        let run = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard digits.contains(run.count) else { return nil }
        rest = rest.dropFirst(run.count)
        return run.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
}
