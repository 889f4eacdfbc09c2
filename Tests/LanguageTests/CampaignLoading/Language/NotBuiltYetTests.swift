import Diagnostics
import Testing
import Text

@testable import CampaignLoading

struct NotBuiltYetTests {
    @Test(arguments: LanguageTable.all.filter { !$0.notBuilt.isEmpty })
    func `a key that is not implemented is one finding on the key`(table: LanguageTable) throws {
        let neighbour = try #require(KeyOccurrence.last(of: table))
        for name in table.notBuilt.sorted() {
            let added = Mutation.adding(Array("\(name): 1".utf8), behind: neighbour)
            let start = added.range.lowerBound
            let key = start..<start + name.utf8.count
            let result = added.mutation.run()
            #expect(result.findings == result.only(.notBuiltYet, at: key), "\(name)")
            #expect(result.diagnostics.first?.message.contains("`\(name)`") == true)
        }
    }

    @Test func `no key is both implemented and not implemented`() {
        for table in LanguageTable.all { #expect(table.notBuilt.isDisjoint(with: table.keys)) }
    }
}
