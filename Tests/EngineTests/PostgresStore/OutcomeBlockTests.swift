import CampaignModel
import Foundation
import StoreConformance
import Testing

@testable import PostgresStore

struct OutcomeBlockTests {
    @Test func `packs runs of equal outcomes`() throws {
        let block = try #require(
            OutcomeBlock.pack([7: .accepted, 8: .accepted, 9: .rejected, 300: .unknown])
        )
        #expect(block.range == 7..<301)
        // By hand: gap 0, 2 times 8 + 1 (accepted); gap 0, 8 + 2 (rejected); gap 290, 8 + 3 (unknown).
        let expected: [UInt8] = [0, 17, 0, 10, 0xA2, 0x02, 11]
        #expect(Array(block.bytes) == expected)
        #expect(OutcomeBlock.pack([:]) == nil)
    }

    @Test func `a thousand accepted requests take three bytes`() throws {
        let outcomes = Dictionary(uniqueKeysWithValues: (0..<1_000).map { ($0, Outcome.accepted) })
        let block = try #require(OutcomeBlock.pack(outcomes))
        #expect(block.bytes.count == 3)
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `returns what was packed`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let count = Int.random(in: 1...5_000, using: &random)
        var outcomes: [Int: Outcome] = [:]
        for _ in 0..<Int.random(in: 1...300, using: &random) {
            let start = Int.random(in: 0..<count, using: &random)
            let length = Int.random(in: 1...40, using: &random)
            let outcome = Outcome.allCases.randomElement(using: &random) ?? .accepted
            for index in start..<min(count, start + length) { outcomes[index] = outcome }
        }
        let block = try #require(OutcomeBlock.pack(outcomes))
        let start = Int.random(in: 0..<count, using: &random)
        let range = start..<Int.random(in: start...count, using: &random)
        var bytes = [UInt8](repeating: 0xFF, count: range.count)
        let first = block.range.lowerBound
        #expect(OutcomeBlock.apply(block.bytes, from: first, to: &bytes, of: range))
        let expected: [UInt8] = range.map { outcomes[$0]?.rawValue ?? 0xFF }
        #expect(bytes == expected)
    }

    @Test(arguments: [[0x80], [0], [0, 0], [0, 7], [0xFF, 0xFF]] as [[UInt8]])
    func `refuses damaged bytes`(bytes: [UInt8]) {
        var outcomes = [UInt8](repeating: 0, count: 4)
        #expect(!OutcomeBlock.apply(Data(bytes), from: 0, to: &outcomes, of: 0..<4))
    }
}
