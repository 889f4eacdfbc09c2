import Testing

@testable import SQLiteStore
@testable import StoreTables

struct SegmentPolicyTests {
    @Test func `merges 128 commits into one segment`() {
        #expect(SegmentPolicy.merge(after: [:]) == nil)
        #expect(SegmentPolicy.merge(after: [.commit: 127, .merged: 127, .whole: 1]) == nil)
        #expect(SegmentPolicy.merge(after: [.commit: 128]) == .commits)
    }

    @Test func `128 merged segments begin a full merge, which continues after each commit`() {
        #expect(SegmentPolicy.merge(after: [.merged: 128, .whole: 1]) == .part)
        #expect(SegmentPolicy.merge(after: [.merged: 3, .unfinished: 1]) == .part)
        #expect(SegmentPolicy.merge(after: [.commit: 128, .unfinished: 1]) == .commits)
    }

    @Test(arguments: [
        (1_000, 0, false), (131_072, 0, false), (131_073, 0, true),
        (10_000_000, 10_000_000, false), (12_500_000, 10_000_000, false),
        (12_500_001, 10_000_000, true),
    ])
    func `a full merge is worth it if a fifth of the records is obsolete`(
        records: Int,
        members: Int,
        isWorth: Bool
    ) {
        #expect(SegmentPolicy.isWorthMerging(records: records, members: members) == isWorth)
    }
}
