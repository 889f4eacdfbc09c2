import Diagnostics
import Testing

struct AppliedFixesTests {
    private let source = SourceID(index: 0)

    private func fix(_ range: Range<Int>, _ text: String) -> Fix {
        Fix(
            span: SourceSpan(source: source, start: range.lowerBound, end: range.upperBound),
            replacement: text
        )
    }

    private func text(_ fixes: [Fix], _ text: String) -> String {
        String(decoding: AppliedFixes(fixes, to: Array(text.utf8)).bytes, as: UTF8.self)
    }

    @Test func `each edit is applied in any order`() {
        #expect(
            text([fix(7..<8, "Z"), fix(0..<1, ""), fix(3..<5, "long")], "abcdefgh") == "bclongfgZ"
        )
    }

    @Test func `the first of overlapping or adjacent edits in the text is applied`() {
        let fixes = [fix(2..<4, "x"), fix(0..<3, "y"), fix(3..<5, "z"), fix(5..<6, "!")]
        #expect(text(fixes, "abcdef") == "yde!")
        #expect(AppliedFixes(fixes, to: Array("abcdef".utf8)).applied == [fixes[1], fixes[3]])
    }

    @Test func `of edits with the same start, the first in the list is applied`() {
        #expect(text([fix(1..<1, "x"), fix(1..<3, "y")], "abcd") == "axbcd")
        #expect(text([fix(1..<3, "y"), fix(1..<1, "x")], "abcd") == "ayd")
    }

    @Test func `an edit beyond the text is not applied`() {
        #expect(text([fix(3..<5, "x")], "abcd") == "abcd")
        #expect(text([fix(4..<4, "x")], "abcd") == "abcdx")
    }

    @Test func `bytes that are not UTF-8 are unchanged`() {
        let bytes: [UInt8] = [0xFF, 0x0D, 0x0A, 0x00, 0x61, 0xC3]
        #expect(
            AppliedFixes([fix(4..<5, "ü")], to: bytes).bytes == [
                0xFF, 0x0D, 0x0A, 0x00, 0xC3, 0xBC, 0xC3,
            ]
        )
    }

    @Test func `an edit is a suggestion by default`() {
        #expect(fix(0..<1, "").applicability == .suggested)
    }
}
