import CampaignRules
import Testing

@Suite struct RuleExampleTests {
    @Test func `an example without a project uses the common one`() {
        let example = RuleExample(files: [.init(path: "lists/a.txt", text: "a:1\n")])
        #expect(example.projectFiles.map(\.path) == ["herald.yaml", "lists/a.txt"])
        #expect(example.projectFiles.first == RuleExample.project)
    }

    @Test func `an example with its own project file gets no second one`() {
        let example = RuleExample(files: [.init(path: "herald.yaml", text: "version: 1\n")])
        #expect(example.projectFiles.map(\.text) == ["version: 1\n"])
    }

    @Test func `repetitions are counted and expanded only on disk`() {
        let file = RuleExample.File(path: "a.txt", text: "[⟨spot-#, ×3⟩] ⟨é×2⟩\n")
        #expect(String(decoding: file.bytes, as: UTF8.self) == "[spot-1, spot-2, spot-3, ] éé\n")
        #expect(file.hasRepetitions)
    }

    @Test(arguments: ["plain", "⟨no count⟩", "3×4", "⟨open×3"])
    func `other text is not a repetition`(text: String) {
        let file = RuleExample.File(path: "a.txt", text: text)
        #expect(!file.hasRepetitions)
        #expect(file.bytes == Array(text.utf8))
    }

    @Test func `a file can be saved in ISO 8859-1`() {
        let file = RuleExample.File(path: "a.yaml", text: "é\n", isLatin1: true)
        #expect(file.bytes == [0xE9, 0x0A])
    }

    @Test func `examples and tests use the same clock`() {
        #expect(RuleExample.clock == LoadedFiles.now)
    }
}
