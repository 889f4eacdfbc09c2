import CampaignModel
import Foundation
import Testing
import Time

/// Compares the sends of a service on a virtual clock with those of a reference in Python, to the second.
///
/// Without `HERALD_YEAR`, the year has 60 campaigns. `make soak` sets it to a file with 1,000.
@Suite(.serialized)
struct YearTests {
    private static let generated = ProcessInfo.processInfo.environment["HERALD_YEAR"]
        .map { URL(filePath: $0) }
    private static let slice = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Goldens/year/year.json")
    /// How many seconds the year may take.
    private static let longest = Duration.seconds(60)

    private let year: YearFile
    private let scene: PlanScene

    init() throws {
        year = try YearFile(at: Self.generated ?? Self.slice)
        scene = try PlanScene()
    }

    @Test func `a year in memory`() async throws {
        let beginning = ContinuousClock.now
        var service = try await VirtualService(year, in: scene)
        try await service.perform()
        let length = ContinuousClock.now - beginning
        compare(service.sends, with: year.sends(before: year.end))
        // Other tests run at the same time, except in `make soak`.
        #expect(Self.generated == nil || length < Self.longest)
        print("a year of \(year.sends.count) campaigns took \(length)")
    }

    @Test func `30 days on SQLite`() async throws {
        let end = min(year.end, year.start.advanced(bySeconds: 30 * 86_400))
        var service = try await StoredService(year, in: scene)
        try await service.perform(until: end)
        compare(service.sends, with: year.sends(before: end))
    }

    private func compare(_ found: [CampaignID: [Instant]], with expected: [CampaignID: [Instant]]) {
        let names = Set(found.keys).union(expected.keys).sorted()
        let different = names.filter { found[$0] != expected[$0] }
        #expect(different.isEmpty)
        for name in different.prefix(5) {
            let (found, expected) = (found[name] ?? [], expected[name] ?? [])
            let more = found.filter { !expected.contains($0) }
            let missing = expected.filter { !found.contains($0) }
            Issue.record("\(name): sent at \(more), not sent at \(missing)")
        }
    }
}
