import Presentation
import Testing

struct FoldedTextTests {
    private static let line =
        "  equinox-2037/once/1  2037-03-20 07:30 Atlantic/Azores (2037-03-20T08:30:00Z, in 1 day)"

    private func folded(_ text: String, _ columns: Int?) -> String {
        TextStyle(useColor: false, width: TextWidth(columns: columns)).folded(text)
    }

    @Test func `folds between words and indents the rest, at 60 columns`() {
        #expect(
            folded(Self.line, 60) == """
                  equinox-2037/once/1  2037-03-20 07:30 Atlantic/Azores
                      (2037-03-20T08:30:00Z, in 1 day)
                """
        )
    }

    @Test func `folds between words and indents the rest, at 80 columns`() {
        #expect(
            folded(Self.line, 80) == """
                  equinox-2037/once/1  2037-03-20 07:30 Atlantic/Azores (2037-03-20T08:30:00Z,
                      in 1 day)
                """
        )
    }

    @Test(arguments: [120, 160, nil])
    func `keeps a line that fits, and every line of a file`(columns: Int?) {
        #expect(folded(Self.line, columns) == Self.line)
    }

    @Test func `a word that is wider than the line gets a separate line`() {
        let word = String(repeating: "x", count: 50)
        #expect(folded("one \(word) two", 40) == "one\n    \(word)\n    two")
    }

    @Test func `colour codes take no columns`() {
        let red = "\u{1B}[31m"
        let end = "\u{1B}[0m"
        let words = "one two three four five six seven eight"
        #expect(folded("\(red)\(words)\(end)", 40) == "\(red)\(words)\(end)")
        #expect(
            folded("a \(red)\(words)\(end)", 40)
                == "a \(red)one two three four five six seven\n    eight\(end)"
        )
    }

    @Test func `keeps a command together if it fits`() {
        #expect(
            folded("resolve the unknown outcomes with `herald resolve a/once/1 sent`", 44) == """
                resolve the unknown outcomes with
                    `herald resolve a/once/1 sent`
                """
        )
        #expect(
            folded("run `herald registrations fingerprint beta-anglers` now", 40) == """
                run `herald registrations fingerprint
                    beta-anglers` now
                """
        )
    }

    @Test func `wide characters take two columns and may be separated`() {
        let text = String(repeating: "潮", count: 22)
        #expect(
            folded(text, 40)
                == String(repeating: "潮", count: 20) + "\n    " + String(repeating: "潮", count: 2)
        )
    }

    @Test func `folds each line separately and keeps the last line break`() {
        let words = "one two three four five six seven eight nine"
        #expect(
            folded("a\n\n\(words)\n", 40)
                == "a\n\none two three four five six seven eight\n    nine\n"
        )
    }

    @Test func `folding twice changes nothing`() {
        let once = folded(Self.line, 60)
        #expect(folded(once, 60) == once)
    }
}
