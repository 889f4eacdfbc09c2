import CampaignModel
import Foundation
import State
import StoreConformance
import StoreTables
import Testing

@testable import PostgresStore

struct OutcomeBlockTests {
    private static func stored(_ outcome: Outcome, _ detail: String? = nil) -> StoredOutcome {
        StoredOutcome(RequestOutcome(index: 0, outcome: outcome, detail: detail))
    }

    /// Those that fit in a byte.
    private static let all =
        Outcome.allCases.map { stored($0) }
        + ["dead", "cap", "forgotten", "holdout", "not reached", "opt_out"]
        .map { stored(.suppressed, $0) }
        + [stored(.rejected, "UNREGISTERED")]

    @Test func `packs runs of equal outcomes`() throws {
        let block = try #require(
            OutcomeBlock.pack([
                7: Self.stored(.accepted), 8: Self.stored(.accepted), 9: Self.stored(.rejected),
                10: Self.stored(.rejected, "UNREGISTERED"), 300: Self.stored(.unknown),
            ])
        )
        #expect(block.range == 7..<301)
        // By hand: gap 0, 2 times 16 + 1 (accepted); gap 0, 16 + 2 (rejected); gap 0, 16 + 11
        // (rejected as UNREGISTERED); gap 289 = 2 times 128 + 33, 16 + 3 (unknown).
        let expected: [UInt8] = [0, 33, 0, 18, 0, 27, 0xA1, 0x02, 19]
        #expect(Array(block.bytes) == expected)
        #expect(OutcomeBlock.pack([:]) == nil)
    }

    @Test func `a thousand accepted requests take three bytes`() throws {
        let accepted = Self.stored(.accepted)
        let outcomes = Dictionary(uniqueKeysWithValues: (0..<1_000).map { ($0, accepted) })
        let block = try #require(OutcomeBlock.pack(outcomes))
        #expect(block.bytes.count == 3)
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `returns what was packed`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let count = Int.random(in: 1...5_000, using: &random)
        var outcomes: [Int: StoredOutcome] = [:]
        for _ in 0..<Int.random(in: 1...300, using: &random) {
            let start = Int.random(in: 0..<count, using: &random)
            let length = Int.random(in: 1...40, using: &random)
            let outcome = try #require(Self.all.randomElement(using: &random))
            for index in start..<min(count, start + length) { outcomes[index] = outcome }
        }
        let block = try #require(OutcomeBlock.pack(outcomes))
        let start = Int.random(in: 0..<count, using: &random)
        let range = start..<Int.random(in: start...count, using: &random)
        var bytes = [UInt8](repeating: 0xFF, count: range.count)
        let first = block.range.lowerBound
        #expect(OutcomeBlock.apply(block.bytes, from: first, to: &bytes, of: range))
        let expected: [UInt8] = range.map { outcomes[$0]?.byte ?? 0xFF }
        #expect(bytes == expected)
    }

    @Test(arguments: [[0x80], [0], [0, 0], [0, 7], [0, 0x1F], [0xFF, 0xFF]] as [[UInt8]])
    func `refuses damaged bytes`(bytes: [UInt8]) {
        var outcomes = [UInt8](repeating: 0, count: 4)
        #expect(!OutcomeBlock.apply(Data(bytes), from: 0, to: &outcomes, of: 0..<4))
    }
}
