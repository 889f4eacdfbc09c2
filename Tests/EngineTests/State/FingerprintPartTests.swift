import CampaignModel
import State
import StoreConformance
import Testing

struct FingerprintPartTests {
    @Test(arguments: [0, 1, 3, 16])
    func `the parts follow each other and contain everything`(bits: Int) {
        let parts = (0..<1 << bits).map { FingerprintPart(number: $0, bits: bits) }
        #expect(parts.first?.first == Fingerprint(high: .min, low: .min))
        #expect(parts.last?.last == Fingerprint(high: .max, low: .max))
        for (part, next) in zip(parts, parts.dropFirst()) {
            #expect(next.first.high == part.last.high + 1)
            #expect(next.first.low == 0 && part.last.low == .max)
        }
    }

    @Test func `contains its first and its last fingerprint, and not the neighbours`() {
        let part = FingerprintPart(number: 5, bits: 3)
        #expect(part.contains(part.first) && part.contains(part.last))
        #expect(!part.contains(Fingerprint(high: part.first.high - 1, low: .max)))
        #expect(!part.contains(Fingerprint(high: part.last.high + 1, low: .min)))
        #expect(FingerprintPart.all.contains(part.first))
    }

    @Test(arguments: [
        (0, 10, 1), (10, 10, 1), (11, 10, 2), (20, 10, 2), (21, 10, 2), (22, 10, 4),
        (10_000_000, 524_288, 32), (Int.max, 1, 65_536),
    ])
    func `divides a count into enough parts`(count: Int, size: Int, parts: Int) {
        #expect(FingerprintPart.parts(of: count, dividedBy: size).count == parts)
    }

    @Test(arguments: [0, 1, 2, 1_000, 70_000])
    func `sorts random fingerprints by all of their bits`(count: Int) {
        var random = SeededGenerator(seed: UInt64(count))
        let some = (0..<count).map { _ in Fingerprint(high: random.next(), low: random.next()) }
        #expect(some.sortedByBits() == some.sorted())
        let similar = some.map { Fingerprint(high: ($0.high % 3) << 60, low: $0.low % 5) }
        #expect(similar.sortedByBits() == similar.sorted())
    }

    @Test func `finds fingerprints in a sorted array`() {
        let sorted = [1, 3, 3, 9].map { Fingerprint(high: 0, low: $0) }
        #expect(sorted.sortedIndex(of: Fingerprint(high: 0, low: 9)) == 3)
        #expect(sorted.sortedIndex(of: Fingerprint(high: 0, low: 2)) == nil)
        #expect(sorted.sortedRange(from: sorted[1], through: sorted[1]) == 1..<3)
        let (low, high) = (Fingerprint(high: 0, low: 4), Fingerprint(high: 0, low: 8))
        #expect(sorted.sortedRange(from: low, through: high) == 3..<3)
        #expect(sorted.sortedRange(from: high, through: low).isEmpty)
    }

    @Test func `returns the recorded statuses of a registration`() {
        let prints = (0..<4).map { Fingerprint(high: UInt64($0), low: 0) }
        let standings = MembershipStandings(
            of: prints,
            sets: [[], MembershipStandings.StatusSet(.joined), [], []]
        )
        #expect(standings == MembershipStandings([prints[1]: [.joined]]))
        #expect(standings[prints[1]] == [.joined])
        #expect(standings[prints[0]] == nil)
        #expect(MembershipStandings.none.isEmpty && !standings.isEmpty)
    }
}
