import Presentation
import Testing

struct TextWidthTests {
    @Test(
        arguments: [
            (160, "70", 160), (nil, "70", 70), (0, "70", 70), (nil, "", nil), (nil, "wide", nil),
            (nil, "0", nil), (nil, "-5", nil), (nil, nil, nil),
        ] as [(Int?, String?, Int?)]
    )
    func `the terminal overrides COLUMNS`(terminal: Int?, variable: String?, columns: Int?) {
        #expect(TextWidth(terminal: terminal, variable: variable).columns == columns)
    }

    @Test(
        arguments: [
            (nil, 80), (20, 40), (60, 60), (80, 80), (120, 120), (160, 120),
        ] as [(Int?, Int)]
    )
    func `prose has 40 to 120 columns`(columns: Int?, prose: Int) {
        #expect(TextWidth(columns: columns).prose == prose)
    }

    @Test func `records and tables use all columns`() {
        #expect(TextWidth(columns: 160).records == 160)
        #expect(TextWidth(columns: 160).table == 160)
        #expect(TextWidth(columns: 20).records == 40)
    }

    @Test func `records and messages are not folded in a file`() {
        #expect(TextWidth.unknown.records == nil)
        #expect(TextWidth.unknown.messages == nil)
        #expect(TextWidth.unknown.table == 80)
    }
}
