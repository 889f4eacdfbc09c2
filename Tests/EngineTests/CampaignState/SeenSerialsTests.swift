import CampaignState
import Testing

struct SeenSerialsTests {
    private static func lineage(_ text: String) -> StateLineage { StateLineage(text: text) }

    @Test func `of each state the highest serial is kept`() {
        var seen = SeenSerials(text: "b 3\na 7\nb 9\nb 4\n")
        #expect(seen[Self.lineage("a")] == StateSerial(number: 7))
        #expect(seen[Self.lineage("b")] == StateSerial(number: 9))
        #expect(seen[Self.lineage("c")] == nil)
        let rises = [("b", 9), ("b", 10), ("c", 0)].map { name, number in
            seen.raise(Self.lineage(name), to: StateSerial(number: number))
        }
        #expect(rises == [false, true, true])
        #expect(seen.text == "a 7\nb 10\nc 0\n")
    }

    @Test(arguments: ["", "\n\n", "a", "a b", "a -1", "a 1 2", "a 99999999999999999999"])
    func `what is no line of it says nothing`(text: String) {
        #expect(SeenSerials(text: text).text == "")
    }
}
