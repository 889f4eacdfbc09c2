import CampaignRules
import Time
import Testing

@Suite struct RuleExampleTests {
    @Test func `text before the first mark is a campaign in the usual project`() {
        let example: RuleExample = """
            campaign: tides
            === lists/a.txt
            a:1
            """
        #expect(example.files.map(\.path) == ["campaigns/example.yaml", "lists/a.txt"])
        #expect(example.files.map(\.text) == ["campaign: tides\n", "a:1\n"])
        #expect(example.projectFiles.map(\.path).first == "herald.yaml")
    }

    @Test func `an example with its own project file has no other`() {
        let example: RuleExample = """
            === herald.yaml
            version: 1
            """
        #expect(example.projectFiles.map(\.text) == ["version: 1\n"])
    }

    @Test func `repetitions are counted and expanded only on disk`() {
        let example: RuleExample = "[⟨spot-#, ×3⟩] ⟨é×2⟩"
        let file = example.files[0]
        #expect(file.text == "[⟨spot-#, ×3⟩] ⟨é×2⟩\n")
        #expect(String(decoding: file.bytes, as: UTF8.self) == "[spot-1, spot-2, spot-3, ] éé\n")
        #expect(file.hasRepetitions)
    }

    @Test(arguments: ["plain", "⟨no count⟩", "3×4", "⟨open×3"])
    func `other text is not a repetition`(text: String) {
        let file = RuleExample(stringLiteral: text).files[0]
        #expect(!file.hasRepetitions)
        #expect(file.bytes == Array("\(text)\n".utf8))
    }

    @Test func `a file can be saved in ISO 8859-1`() {
        let example: RuleExample = """
            === campaigns/a.yaml in ISO 8859-1
            é
            """
        #expect(example.files.map(\.path) == ["campaigns/a.yaml"])
        #expect(example.files[0].bytes == [0xE9, 0x0A])
    }

    @Test func `the clock of the examples is that of the tests`() {
        #expect(RuleExample.clock == LoadedFiles.now)
    }
}
