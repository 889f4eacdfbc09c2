/// Reads bytes from front to back; bytes that do not match are not consumed.
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

    /// Returns the longest run of bytes that `belongs` accepts; may be empty.
    package mutating func run(while belongs: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let run = rest.prefix(while: belongs)
        rest = rest.dropFirst(run.count)
        return run
    }

    /// Returns the following decimal digits as a number if their count is in `digits`.
    ///
    /// `digits` is at most 18, so that the number fits.
    package mutating func number(digits: ClosedRange<Int>) -> Int? {
        let run = rest.prefix(while: \.isASCIIDigit)
        guard digits.contains(run.count) else { return nil }
        rest = rest.dropFirst(run.count)
        return run.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
}
