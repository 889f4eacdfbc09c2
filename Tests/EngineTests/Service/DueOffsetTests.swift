import CampaignModel
import Planning
import Testing

/// The expected values come from Python:
/// `int.from_bytes(hashlib.sha256("\0".join(parts).encode()).digest()[:8], "big") * range >> 64`.
struct DueOffsetTests {
    struct Case: Sendable {
        let project: String
        let campaign: String
        let slot: String
        let purpose: DueOffset.Purpose
        /// The offsets of ranges of ten minutes, one hour and a quarter of an hour.
        let offsets: [Int64]
    }

    static let cases = [
        Case(
            project: "tidewatch",
            campaign: "spring-tide-warning",
            slot: "once",
            purpose: .spread,
            offsets: [89, 535, 133]
        ),
        Case(
            project: "tidewatch",
            campaign: "spring-tide-warning",
            slot: "once",
            purpose: .jitter,
            offsets: [9, 56, 14]
        ),
        Case(
            project: "tidewatch",
            campaign: "daily",
            slot: "2027-01-15T23:30",
            purpose: .spread,
            offsets: [194, 1_169, 292]
        ),
        Case(
            project: "tidewatch",
            campaign: "daily",
            slot: "2027-01-16T23:30",
            purpose: .spread,
            offsets: [562, 3_376, 844]
        ),
        Case(
            project: "shop",
            campaign: "sale",
            slot: "2027-03-28T01:30",
            purpose: .jitter,
            offsets: [546, 3_278, 819]
        ),
    ]

    @Test(arguments: cases) func `is the documented share of the range`(_ one: Case) throws {
        let offset = DueOffset(
            of: OccurrenceID(
                campaign: try #require(CampaignID(one.campaign)),
                slot: Slot(text: one.slot),
                revision: 1
            ),
            in: try #require(ProjectID(one.project)),
            for: one.purpose
        )
        #expect([600, 3_600, 900].map(offset.seconds) == one.offsets)
        #expect(offset.seconds(of: 0) == 0)
    }

    @Test func `does not depend on the revision`() throws {
        let campaign = try #require(CampaignID("daily"))
        let project = try #require(ProjectID("tidewatch"))
        let offsets = [1, 2].map { revision in
            DueOffset(
                of: OccurrenceID(campaign: campaign, slot: .once, revision: revision),
                in: project,
                for: .spread
            ).seconds(of: 86_400)
        }
        #expect(offsets[0] == offsets[1])
    }
}
