import Diagnostics
import Testing

@testable import CampaignLoading

struct NotBuiltYetTests {
    @Test(arguments: LanguageTable.all.filter { !$0.notBuilt.isEmpty })
    func `a key that is not built is one finding, on the key`(table: LanguageTable) throws {
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

    @Test func `no key is both built and not built`() {
        for table in LanguageTable.all { #expect(table.notBuilt.isDisjoint(with: table.keys)) }
    }

    @Test(arguments: ["upstream", "removed"])
    func `documents that are not built are refused by their first key`(kind: String) {
        let files = LoadedFiles(campaign: "«\(kind)»: news\nanything: { else: here }\n")
        #expect(files.findings == files.expected(.notBuiltYet))
    }

    @Test(arguments: ["csv", "ndjson", "json"])
    func `lists in formats that are not built are refused`(format: String) {
        let files = LoadedFiles(
            campaign: """
                audience: anglers
                registrations: «lists/anglers.\(format)»
                ---
                campaign: a
                audience: anglers
                message: {}
                ---
                campaign: b
                audience: { registrations: «lists/b.\(format)» }
                message: {}
                """
        )
        #expect(files.findings == files.expected(.notBuiltYet, .notBuiltYet))
    }

    @Test func `a list with its format beside it is refused`() {
        let files = LoadedFiles(
            campaign: """
                audience: anglers
                registrations: «{ file: lists/anglers.txt, kind: token }»
                """
        )
        #expect(files.findings == files.expected(.notBuiltYet))
    }

    @Test(arguments: ["cron: 0 7 * * *", "rrule: FREQ=DAILY"])
    func `a repeating schedule is refused and misses no at`(rule: String) {
        let key = rule.prefix { $0 != ":" }
        let files = LoadedFiles(
            campaign: """
                campaign: a
                audience: { topic: tides }
                message: {}
                schedule: { «\(key)»\(rule.dropFirst(key.count)), timezone: Europe/Berlin }
                """
        )
        #expect(files.findings == files.expected(.notBuiltYet))
    }
}
