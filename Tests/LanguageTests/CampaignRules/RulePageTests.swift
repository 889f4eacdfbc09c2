import CampaignLoading
import CampaignRules
import Diagnostics
import FoundationEssentials
import TestSupport
import Testing
import Time

/// Loads and checks the examples of the pages as `herald validate` does.
///
/// `environment-variable`, `fcm-verdict` and `tracked-list` need more than the files; end-to-end
/// tests cover them.
/// Notes on keys that are not implemented are ignored.
@Suite struct RulePageTests {
    static let checked = RuleID.allCases.filter {
        ![.environmentVariable, .fcmVerdict, .trackedList].contains($0)
    }

    @Test(arguments: checked)
    func `the example triggers only its rule`(id: RuleID) throws {
        #expect(try Set(found(in: id.page.example, except: id)) == [id])
    }

    @Test(arguments: RuleID.allCases)
    func `the corrected example has no findings`(id: RuleID) throws {
        #expect(try found(in: id.page.useInstead).isEmpty)
    }

    @Test(arguments: RuleID.allCases)
    func `a page has all required content`(id: RuleID) {
        let page = id.page
        #expect(page.id == id)
        #expect(page.summary.hasSuffix("."))
        #expect(page.summary.count <= 100)
        #expect(page.summary.count { $0 == "`" }.isMultiple(of: 2))
        #expect(page.whyIsThisBad.hasSuffix("."))
        #expect(!page.source.isEmpty)
        #expect(!page.example.files.isEmpty && !page.useInstead.files.isEmpty)
    }

    @Test(arguments: RuleID.allCases)
    func `a page states the severity and the settings of its rule`(id: RuleID) {
        let page = id.page
        let silence = "To silence one finding: `# herald: allow \(id.rawValue), REASON`"
        let off = "`rules: { \(id.rawValue): off }` in `herald.yaml` turns the rule off, and"
        #expect(page.severity == id.severity)
        let expected =
            switch id.level {
            case .fixedError: "It cannot be silenced or downgraded."
            case .error: "\(off) `warn` makes it a warning.\n\(silence)"
            case .warning, .note: "\(off) `error` makes it an error.\n\(silence)"
            }
        #expect(page.settings == expected)
    }

    @Test(arguments: RuleID.allCases)
    func `a page explains repetitions if its files contain them`(id: RuleID) {
        for example in [id.page.example, id.page.useInstead] {
            let note =
                "`⟨TEXT×N⟩` means TEXT repeated N times. "
                + "`#` in TEXT is the number of the repetition, from 1."
            #expect(example.note == (example.files.contains(where: \.hasRepetitions) ? note : nil))
        }
    }

    @Test func `every check belongs to one rule`() {
        let ids = allRules.map(\.id)
        #expect(Set(ids).count == ids.count)
    }

    @Test func `the list of rules contains the project of the examples`() throws {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
        let path = root.joined(separator: "/") + "/Documentation/Rules/README.md"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("\n```yaml\n\(RuleExample.project.text)```\n"))
        #expect(text.contains("checked at \(RuleExample.clock.utcText)."))
    }

    private func found(in example: RuleExample, except id: RuleID? = nil) throws -> [RuleID] {
        let folder = try TemporaryFolder()
        for file in example.projectFiles { try folder.write(file.path, file.bytes) }
        let loaded = ProjectLoader(zones: systemZones).load(directory: folder.path)
        let found = LoadedFiles.check(loaded, directory: folder.path)
        return found.map(\.rule).filter { $0 == id || $0 != .notBuiltYet }
    }
}
