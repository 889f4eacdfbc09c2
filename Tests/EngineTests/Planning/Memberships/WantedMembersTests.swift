import CampaignModel
import State
import StoreConformance
import Testing

@testable import Planning

struct WantedMembersTests {
    private func random(_ count: Int, seed: UInt64) -> [Fingerprint] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in Fingerprint(high: random.next(), low: random.next()) }
    }

    @Test(arguments: [0, 1, 5_000, 600_000])
    func `returns each part of a list in order, also if the list is long`(count: Int) {
        let list = random(count, seed: 7)
        let wanted = WantedMembers(list)
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
