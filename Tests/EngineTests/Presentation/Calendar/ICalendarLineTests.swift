import Testing

@testable import Presentation

struct ICalendarLineTests {
    @Test func `ends with a line break of two characters`() {
        #expect(ICalendarLine("VERSION", "2.0").folded == "VERSION:2.0\r\n")
    }

    @Test func `escapes the characters of a text that have a meaning`() {
        let line = ICalendarLine("SUMMARY", text: #"a;b,c\d: "e""# + "\nf")
        #expect(line.folded == #"SUMMARY:a\;b\,c\\d: "e"\nf"# + "\r\n")
    }

    @Test func `shows control and invisible characters`() {
        let line = ICalendarLine("SUMMARY", text: "\u{1B}x\r\u{202E}")
        #expect(line.folded == #"SUMMARY:\\u{1B}x\\u{D}\\u{202E}"# + "\r\n")
    }

    @Test func `folds after 75 octets`() {
        // "X:" and 73 letters fill a line.
        let whole = String(repeating: "a", count: 73)
        #expect(ICalendarLine("X", text: whole).folded == "X:\(whole)\r\n")
        #expect(ICalendarLine("X", text: whole + "b").folded == "X:\(whole)\r\n b\r\n")
        let next = String(repeating: "b", count: 74)
        #expect(
            ICalendarLine("X", text: whole + next + "c").folded
                == "X:\(whole)\r\n \(next)\r\n c\r\n"
        )
    }

    @Test(
        arguments: [
            // One octet is left, and the character has two, three or four.
            ("é", 72), ("€", 72), ("🌊", 72),
            // Three octets are left.
            ("🌊", 70),
        ]
    )
    func `divides no character`(character: String, letters: Int) {
        let before = String(repeating: "a", count: letters)
        #expect(
            ICalendarLine("X", text: before + character).folded
                == "X:\(before)\r\n \(character)\r\n"
        )
    }

    @Test func `a character that fits stays on its line`() {
        let before = String(repeating: "a", count: 69)
        #expect(ICalendarLine("X", text: before + "🌊").folded == "X:\(before)🌊\r\n")
    }
}
