import CampaignModel
import Foundation
import State
import Testing

@testable import SQLiteStore
@testable import StoreTables

struct SegmentChunkTests {
    private let records = [
        MembershipRecord(
            fingerprint: Fingerprint(high: 1, low: 0xFF),
            content: .member(.optedOut),
            place: RegistrationPlace(page: 0x0102_0304, slot: 5)
        ),
        MembershipRecord(fingerprint: Fingerprint(high: 1, low: .max), content: .status(.leaving)),
        MembershipRecord(fingerprint: Fingerprint(high: 1 << 63, low: 0), content: .removed),
    ]

    @Test func `reads written records`() {
        let data = SegmentChunk.encode(records[...])
        #expect(SegmentChunk.decode(data) == records)
        #expect(SegmentChunk.bounds(data)?.first == records[0].fingerprint)
        #expect(SegmentChunk.bounds(data)?.last == records[2].fingerprint)
    }

    @Test func `writes 22 bytes per record, the highest first`() {
        let data = SegmentChunk.encode(records[..<1])
        let bytes: [UInt8] = [
            2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0xFF, 5, 1, 2, 3, 4, 5,
        ]
        #expect(Array(data) == bytes)
        #expect(SegmentChunk.encode(records[...]).count == 1 + 3 * 22)
        #expect(SegmentChunk.encode(records[1...]).dropFirst(17).first == 0x12)
        #expect(SegmentChunk.encode(records[2...]).dropFirst(17).first == 0x20)
    }

    @Test func `reads only a range`() {
        let data = SegmentChunk.encode(records[...])
        var found: [MembershipRecord] = []
        let middle = records[1].fingerprint
        #expect(SegmentChunk.decode(data, from: middle, through: middle, into: &found))
        #expect(found == [records[1]])
    }

    @Test func `rejects damaged chunks`() {
        let data = SegmentChunk.encode(records[...])
        #expect(SegmentChunk.decode(data.dropLast()) == nil)
        #expect(SegmentChunk.decode(Data()) == nil)
        #expect(SegmentChunk.decode(Data([2])) == nil)
        #expect(SegmentChunk.bounds(Data([2])) == nil)
        #expect(SegmentChunk.decode(Data([1]) + data.dropFirst()) == nil)
        let reversed = SegmentChunk.encode(records.reversed()[...])
        #expect(SegmentChunk.decode(reversed) == nil)
        for code: UInt8 in [0x06, 0x16, 0x21, 0x30, 0xFF] {
            var other = data
            other[17] = code
            #expect(SegmentChunk.decode(other) == nil, "\(code)")
        }
    }
}
