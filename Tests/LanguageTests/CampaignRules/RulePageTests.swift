import CampaignLoading
import CampaignRules
import Diagnostics
import Time
import TestSupport
import Testing

/// Loads and checks the examples of the pages as `herald validate` does.
///
/// `environment-variable` and `fcm-verdict` need more than `validate`; end-to-end tests cover them.
/// Notes on keys that are not implemented are ignored.
@Suite struct RulePageTests {
    static let checked = RuleID.allCases.filter {
        $0 != .environmentVariable && $0 != .fcmVerdict
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

    private func found(in example: RuleExample, except id: RuleID? = nil) throws -> [RuleID] {
        let folder = try TemporaryFolder()
        for file in example.projectFiles { try folder.write(file.path, file.bytes) }
        let loaded = ProjectLoader(zones: systemZones).load(directory: folder.path)
        let found = LoadedFiles.check(loaded, directory: folder.path)
        return found.map(\.rule).filter { $0 == id || $0 != .notBuiltYet }
    }
}
