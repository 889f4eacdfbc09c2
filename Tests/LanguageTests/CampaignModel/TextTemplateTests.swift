import CampaignModel
import Testing

struct TextTemplateTests {
    @Test(
        arguments: [
            ("", []), ("plain { } text", [.literal("plain { } text")]),
            ("{{name}}", [.column("name")]),
            ("Hi {{ name }}!", [.literal("Hi "), .column("name"), .literal("!")]),
            ("{{a}}{{b}}{{a}}", [.column("a"), .column("b"), .column("a")]),
            ("{{first name}} 🌊", [.column("first name"), .literal(" 🌊")]),
            ("{{é}}", [.column("é")]), ("a}} b", [.literal("a}} b")]),
        ] as [(String, [TextTemplate.Part])]
    )
    func `divides a text`(text: String, parts: [TextTemplate.Part]) throws {
        #expect(try TextTemplate(parsing: text).parts == parts)
    }

    @Test(
        arguments: [
            ("Hi {{name", .unclosed, 3..<5), ("{{a} b", .unclosed, 0..<2),
            ("{{a {{b}}", .unclosed, 0..<2), ("{{a\nb}}", .unclosed, 0..<2),
            ("x {{}}", .unnamed, 2..<6), ("{{  }}", .unnamed, 0..<6), ("{{a}b}}", .badName, 0..<7),
            ("{{{a}}", .badName, 0..<6),
        ] as [(String, TextTemplate.Fault.Kind, Range<Int>)]
    )
    func `reports an incomplete placeholder with its place`(
        text: String,
        kind: TextTemplate.Fault.Kind,
        range: Range<Int>
    ) {
        do throws(TextTemplate.Fault) {
            let template = try TextTemplate(parsing: text)
            Issue.record("\(template)")
        } catch {
            #expect(error.kind == kind && error.range == range)
        }
    }

    @Test func `names each column once and counts the placeholders' bytes`() throws {
        let template = try TextTemplate(parsing: "{{b}} and {{ a }}, {{b}}")
        #expect(template.columns == ["b", "a"])
        #expect(template.placeholderBytes == 5 + 7 + 5)
    }

    @Test func `finds the first placeholder of a column`() {
        let text = "é {{a}} {{ b }} {{a}}"
        #expect(TextTemplate.place(of: "a", in: text) == 3..<8)
        #expect(TextTemplate.place(of: "b", in: text) == 9..<16)
        #expect(TextTemplate.place(of: "c", in: text) == nil)
    }
}
