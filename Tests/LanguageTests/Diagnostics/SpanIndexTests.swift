import Diagnostics
import Testing

@Suite struct SpanIndexTests {
    private static func span(_ range: Range<Int>, in source: UInt32 = 0) -> SourceSpan {
        SourceSpan(
            source: SourceID(index: source),
            start: range.lowerBound,
            end: range.upperBound
        )
    }

    private let index = SpanIndex([span(10..<20), span(2..<5), span(20..<21), span(3..<9, in: 1)])

    @Test(arguments: [
        (2..<5, true), (3..<4, true), (1..<4, false), (4..<6, false), (10..<20, true),
        (15..<20, true), (19..<21, false), (21..<22, false),
    ])
    func `finds spans inside one of the places`(range: Range<Int>, isHeld: Bool) {
        #expect(index.holds(Self.span(range)) == isHeld)
    }

    @Test(arguments: [(0..<5, true), (0..<4, false), (5..<30, true), (11..<20, false)])
    func `finds places inside a span`(range: Range<Int>, isThere: Bool) {
        #expect(index.hasPlace(in: Self.span(range)) == isThere)
    }

    @Test(arguments: [
        (0..<2, false), (0..<3, true), (4..<6, true), (5..<10, false), (0..<99, true),
    ])
    func `finds places that overlap a span`(range: Range<Int>, isTouched: Bool) {
        #expect(index.overlaps(Self.span(range)) == isTouched)
    }

    @Test func `separates files`() {
        #expect(index.holds(Self.span(4..<8, in: 1)))
        #expect(!index.holds(Self.span(4..<8, in: 2)))
    }
}
