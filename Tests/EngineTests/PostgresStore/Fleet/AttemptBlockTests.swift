import Fleet
import FoundationEssentials
import Testing

@testable import PostgresStore

struct AttemptBlockTests {
    @Test func `records are packed by attempt, and the greatest outcome counts`() {
        let records = [
            AttemptRecord(.unknown, of: 5, attempt: 1), AttemptRecord(.accepted, of: 5, attempt: 1),
            AttemptRecord(.rejected, of: 3, attempt: 1),
            AttemptRecord(.released, of: 5, attempt: 2),
        ]
        let blocks = AttemptBlock.pack(records)
        #expect(blocks.map(\.attempt) == [1, 2])
        #expect(blocks.map(\.first) == [3, 5])
        #expect(blocks.map(\.outcomes) == [[5, 0, 6], [1]])
        #expect(blocks[0].records == [records[2], records[1]])
    }

    @Test func `a block ends before a long gap and after 1,000 requests`() {
        let sparse = AttemptBlock.pack([.accepted(0), .accepted(65), .accepted(131)])
        #expect(sparse.map(\.first) == [0, 131])
        let dense = AttemptBlock.pack((0..<2_500).map { .accepted($0) })
        #expect(dense.map(\.outcomes.count) == [1_000, 1_000, 500])
        #expect(dense.flatMap(\.records) == (0..<2_500).map { .accepted($0) })
    }

    @Test(arguments: [[], [0], [7], [8], [0, 1, 7, 8, 15, 16, 9_999]])
    func `omitted requests survive packing`(requests: [Int]) {
        #expect(OmittedBits.unpack(OmittedBits.pack(requests)) == requests)
    }
}
