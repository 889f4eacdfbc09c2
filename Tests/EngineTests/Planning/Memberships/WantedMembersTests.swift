import CampaignModel
import State
import StoreConformance
import TestSupport
import Testing

@testable import Planning
@testable import RegistrationLists

struct WantedMembersTests {
    private func random(_ count: Int, seed: UInt64) -> [Fingerprint] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in Fingerprint(high: random.next(), low: random.next()) }
    }

    @Test(arguments: [0, 1, 5_000, 600_000], [1_000, 1_000_000])
    func `returns each part of a list in order, also if the list is in files`(
        count: Int,
        limit: Int
    ) throws {
        let list = random(count, seed: 7)
        let folder = try TemporaryFolder()
        var collector = FingerprintCollector(folder: folder.path, limit: limit)
        try collector.append(list)
        guard case .different(let fingerprints) = try collector.finish() else {
            Issue.record("a fingerprint is repeated")
            return
        }
        #expect(fingerprints.areInFiles == (count > limit))
        let wanted = WantedMembers(fingerprints)
        #expect(wanted.count == count)
        let sorted = list.sorted()
        for bits in 0..<5 {
            let parts = (0..<1 << bits).map { FingerprintPart(number: $0, bits: bits) }
            var all: [Fingerprint] = []
            for part in parts {
                let found = wanted.sorted(in: part)
                #expect(found.allSatisfy(part.contains))
                all += found
            }
            #expect(all == sorted)
        }
    }

    @Test func `no registration is wanted without a list`() {
        #expect(WantedMembers.none.sorted(in: .all) == [])
        #expect(WantedMembers.none.count == 0)
    }
}
