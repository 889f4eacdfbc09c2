import TestSupport
import Testing

@testable import Presentation

struct WordDiffTests {
    private func marked(_ before: String?, _ after: String?) -> String {
        WordDiff(before: before, after: after).segments.map { segment in
            switch segment.kind {
            case .same: segment.text
            case .removed: "[-\(segment.text)-]"
            case .added: "{+\(segment.text)+}"
            case .elided: "<\(segment.text)>"
            }
        }.joined()
    }

    @Test(arguments: [
        ("a b c", "a x c", "a [-b-]{+x+} c"),
        ("a b", "a b", "a b"),
        ("", "a", "{+a+}"),
        ("High water at 16:42.", "High water at 16:43!", "High water at [-16:42.-]{+16:43!+}"),
        ("one two three four", "two three four five", "[-one -]two three four{+ five+}"),
        ("明日は午前", "明日は午後", "明日は午[-前-]{+後+}"),
        ("e\u{301}te", "ete", "[-e\u{301}te-]{+ete+}"),
        ("a, b. c d", "x, y. c d", "[-a, b-]{+x, y+}. c d"),
        ("one", "one, two, three, four and five", "one{+, two, three, four and five+}"),
        ("Low, as ever!", "Boats at sea, beware!", "[-Low, as ever!-]{+Boats at sea, beware!+}"),
        (
            "the end of it all", "where one may see the top of a hill",
            "[-the end of it all-]{+where one may see the top of a hill+}"
        ),
        ("?!", "?.", "?[-!-]{+.+}"),
    ])
    func `marks words that differ`(_ before: String, _ after: String, _ expected: String) {
        #expect(marked(before, after) == expected)
    }

    @Test func `inserts an absent text as a whole`() {
        #expect(marked(nil, "a b") == "{+a b+}")
        #expect(marked("a b", nil) == "[-a b-]")
        #expect(marked(nil, nil) == "")
    }

    /// Applies random edits of words and checks that both texts can be restored.
    @Test func `both texts can be read from the diff`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            let before = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                ["a", "b", "c", " "].randomElement(using: &random) ?? "a"
            }.joined()
            let after = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                ["a", "b", "c", " "].randomElement(using: &random) ?? "a"
            }.joined()
            let segments = WordDiff(before: before, after: after).segments
            #expect(segments.filter { $0.kind != .added }.map(\.text).joined() == before)
            #expect(segments.filter { $0.kind != .removed }.map(\.text).joined() == after)
        }
    }

    @Test func `removes no more words than needed`() {
        let segments = WordDiff(before: "a b c a b b a", after: "c b a b a c").segments
        // Myers' own example has five edits of letters; here, each letter except the last has a
        // space.
        let changed = segments.filter { $0.kind != .same }.flatMap { $0.text.split(separator: " ") }
        #expect(changed.count == 5)
    }

    @Test func `replaces texts without common parts, regardless of length`() {
        let before = (0..<5_000).map { "a\($0)" }.joined(separator: " ")
        let after = (0..<5_000).map { "b\($0)" }.joined(separator: " ")
        let kinds = WordDiff(before: before, after: after).segments.map(\.kind)
        #expect(kinds == [.removed, .elided, .removed, .added, .elided, .added])
    }

    @Test func `replaces long unchanged parts by a word count`() {
        let long = String(repeating: "x ", count: 5_000)
        let text = marked(long + "4", long + "5")
        #expect(text.contains("<9,920 characters unchanged>"))
        #expect(text.hasSuffix(" [-4-]{+5+}"))
    }
}
