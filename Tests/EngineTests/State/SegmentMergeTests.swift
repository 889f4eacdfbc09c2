import CampaignModel
import State
import StoreConformance
import Testing

struct SegmentMergeTests {
    private func record(
        _ number: UInt64,
        _ content: MembershipRecord.Content,
        page: UInt32 = 0
    ) -> MembershipRecord {
        MembershipRecord(
            fingerprint: Fingerprint(high: number, low: 0),
            content: content,
            place: page == 0 ? .none : RegistrationPlace(page: page, slot: 1)
        )
    }

    @Test func `nothing is merged from nothing`() {
        #expect(SegmentMerge.merged([]) == [])
        #expect(SegmentMerge.merged([[], []]) == [])
    }

    @Test func `a new status keeps the place of the registration`() {
        let merged = SegmentMerge.merged([
            [record(1, .member(.joining), page: 7)], [record(1, .status(.joined))],
            [record(1, .status(.leaving))],
        ])
        #expect(merged == [record(1, .member(.leaving), page: 7)])
    }

    @Test func `a status has no effect on a removed member`() {
        let merged = SegmentMerge.merged([
            [record(1, .member(.joined), page: 7)], [record(1, .removed)],
            [record(1, .status(.joined))],
        ])
        #expect(merged == [record(1, .removed)])
    }

    @Test func `a member that was removed can be added again`() {
        let merged = SegmentMerge.merged([
            [record(1, .member(.joined), page: 7)], [record(1, .removed)],
            [record(1, .member(.external), page: 8)],
        ])
        #expect(merged == [record(1, .member(.external), page: 8)])
    }

    @Test func `a status stays without its member, which may be in an older segment`() throws {
        let merged = SegmentMerge.merged([[record(1, .status(.joined))], [record(2, .removed)]])
        #expect(merged == [record(1, .status(.joined)), record(2, .removed)])
        #expect(try MembershipRecords { [merged] }.members() == [])
    }

    @Test func `reports the places of replaced and removed members`() {
        var dropped: [RegistrationPlace] = []
        _ = SegmentMerge.merged(
            [
                [record(1, .member(.joined), page: 1), record(2, .member(.joined), page: 2)],
                [record(1, .member(.joined), page: 3), record(2, .removed)],
                [record(3, .member(.joined), page: 4)],
            ],
            dropping: &dropped
        )
        #expect(dropped.map(\.page).sorted() == [1, 2])
    }

    /// Merging some segments first must not change the result, because stores merge in any order.
    @Test(arguments: UInt64(1)...40)
    func `the order of merges does not matter`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let isNarrow = seed % 2 == 0
        let segments = (0..<8).map { segment in
            let numbers = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                UInt64.random(in: 0...(isNarrow ? 30 : .max), using: &random) % 97
            }
            return Set(numbers).sorted().map { number in
                let status = MembershipStatus.allCases.randomElement(using: &random) ?? .joined
                let contents: [MembershipRecord.Content] = [
                    .member(status), .status(status), .removed,
                ]
                let content = contents.randomElement(using: &random) ?? .removed
                let isMember = content == .member(status)
                return record(number, content, page: isMember ? UInt32(segment + 1) : 0)
            }
        }
        let whole = SegmentMerge.merged(segments)
        #expect(whole == oneByOne(segments))
        for middle in 0...segments.count {
            let halves = [
                SegmentMerge.merged(Array(segments[..<middle])),
                SegmentMerge.merged(Array(segments[middle...])),
            ]
            #expect(SegmentMerge.merged(halves) == whole)
        }
        #expect(whole.map(\.fingerprint) == whole.map(\.fingerprint).sorted())
    }

    /// Applies each record to a dictionary.
    private func oneByOne(_ segments: [[MembershipRecord]]) -> [MembershipRecord] {
        var found: [Fingerprint: MembershipRecord] = [:]
        for record in segments.joined() {
            guard let older = found[record.fingerprint] else {
                found[record.fingerprint] = record
                continue
            }
            switch (record.content, older.content) {
            case (.status(let status), .member):
                found[record.fingerprint] = MembershipRecord(
                    fingerprint: record.fingerprint,
                    content: .member(status),
                    place: older.place
                )
            case (.status, .removed): break
            case (.member, _), (.removed, _), (.status, .status):
                found[record.fingerprint] = record
            }
        }
        return found.values.sorted { $0.fingerprint < $1.fingerprint }
    }
}
