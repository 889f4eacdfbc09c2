import CampaignMessages
import CampaignModel
import JSON
import TestSupport
import Testing

struct RepeatEffectTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let message: String
        var collapse: String?
        var replaced: [Platform] = []
        var doubled: [Platform] = []

        var testDescription: String { "\(message) \(collapse ?? "")" }
    }

    private static let everywhere = Platform.allCases

    private func lowering(_ row: Row) throws -> DeliveryLowering {
        let message = try #require(JSONValue(parsing: row.message)?.objectValue)
        let campaign = try CampaignFixture.campaign(message, collapse: row.collapse)
        return DeliveryLowering(campaign)
    }

    @Test(arguments: common + ofOnePlatform + mixed + keys + apple)
    func `a repeat replaces what is displayed under a key, platform by platform`(row: Row) throws {
        let template = try lowering(row).template
        let effect = RepeatEffect(of: template)
        #expect(effect.replaced == row.replaced)
        #expect(effect.doubled == row.doubled)
        #expect(effect.replacesEverywhere == row.doubled.isEmpty)
    }

    @Test func `every text of locales must be replaced`() throws {
        let pt = try #require(Locale("pt"))
        let text = MessageContent(fields: ["data": ["k": "v"]])
        let campaign = try CampaignFixture.campaign(
            ["notification": ["title": "Tides"]],
            localizations: [Localization(locale: pt, content: text)]
        )
        let effect = RepeatEffect(of: MessageTemplate(of: campaign))
        #expect(effect.doubled == Platform.allCases)
        #expect(effect.replaced == [])
        #expect(RepeatEffect(of: DeliveryLowering(campaign).template).replacesEverywhere)
    }

    @Test(arguments: common + ofOnePlatform + mixed + keys + apple)
    func `the key of an occurrence and the stored form change nothing`(row: Row) throws {
        let template = try lowering(row).template
        let id = try #require(CampaignID("tide"))
        let key = DeduplicationKey(of: OccurrenceID(campaign: id, slot: .once, revision: 1))
        let stored = try #require(MessageTemplate(stored: template.keyed(key).stored))
        #expect(RepeatEffect(of: stored) == RepeatEffect(of: template))
    }

    private static let title = #"{"notification":{"title":"T"}}"#
    private static let tagged =
        #"{"notification":{"title":"T"},"android":{"notification":{"tag":"x"}}}"#
    private static let revisions: [(Row, Row)] = [
        (Row(message: title), Row(message: title, doubled: everywhere)),
        (
            Row(message: title, collapse: "tide"),
            Row(message: title, collapse: "tide", replaced: everywhere)
        ),
        (
            Row(message: title, collapse: "ebb"),
            Row(message: title, collapse: "tide", doubled: everywhere)
        ),
        (
            Row(message: tagged),
            Row(message: tagged, replaced: [.android], doubled: [.apple, .web])
        ),
        (
            Row(message: #"{"data":{"a":"b"}}"#, collapse: "tide"),
            Row(message: title, collapse: "tide", doubled: everywhere)
        ),
        (
            Row(message: #"{"android":{"notification":{"title":"T"}}}"#, collapse: "tide"),
            Row(message: title, collapse: "tide", replaced: [.android])
        ),
    ]

    @Test(arguments: revisions)
    func `a new revision replaces the notification of an earlier one under the same key`(
        old: Row,
        new: Row
    ) throws {
        let id = try #require(CampaignID("tide"))
        let templates = try [old, new].enumerated().map { number, row in
            let occurrence = OccurrenceID(campaign: id, slot: .once, revision: number + 1)
            return try lowering(row).template.keyed(DeduplicationKey(of: occurrence))
        }
        let effect = RepeatEffect(of: templates[1], after: templates[0])
        #expect(effect.replaced == new.replaced)
        #expect(effect.doubled == new.doubled)
    }

    @Test func `without a key nothing is replaced`() throws {
        let row = Row(message: #"{"notification":{"title":"T"}}"#)
        let effect = RepeatEffect(of: try lowering(row).template.withoutKey)
        #expect(effect.replaced == [])
        #expect(effect.doubled == Self.everywhere)
    }

    private static let common = [
        Row(message: #"{"notification":{"title":"T"}}"#, replaced: everywhere),
        Row(message: #"{"notification":{"title":"T"},"data":{"a":"b"}}"#, replaced: everywhere),
        Row(message: #"{"data":{"a":"b"}}"#, doubled: everywhere),
        Row(message: "{}", doubled: everywhere),
    ]

    private static let ofOnePlatform = [
        Row(message: #"{"webpush":{"notification":{"title":"T"}}}"#, replaced: [.web]),
        Row(message: #"{"webpush":{"data":{"a":"b"}}}"#, doubled: [.web]),
        Row(message: #"{"android":{"notification":{"title":"T"}}}"#, replaced: [.android]),
        Row(message: #"{"android":{"data":{"a":"b"}}}"#, doubled: [.android]),
        Row(message: #"{"apns":{"payload":{"aps":{"alert":"A"}}}}"#, replaced: [.apple]),
    ]

    private static let mixed = [
        Row(
            message: #"{"android":{"data":{"a":"b"}},"apns":{"payload":{"aps":{"alert":"A"}}}}"#,
            replaced: [.apple],
            doubled: [.android]
        ),
        Row(
            message: #"{"data":{"a":"b"},"apns":{"payload":{"aps":{"alert":"A"}}}}"#,
            replaced: [.apple],
            doubled: [.android, .web]
        ),
        Row(
            message: #"{"data":{"a":"b"},"webpush":{"notification":{"title":"T"}}}"#,
            replaced: [.web],
            doubled: [.android, .apple]
        ),
        Row(
            message: """
                {"android":{"notification":{"title":"T"}},"apns":{"payload":{"aps":{"alert":"A"}}}}
                """,
            replaced: [.android, .apple]
        ),
    ]

    private static let keys = [
        Row(
            message: #"{"notification":{"title":"T"}}"#,
            collapse: "tides",
            replaced: everywhere
        ),
        // A key that makes FCM collapse waiting messages replaces nothing that arrived.
        Row(message: #"{"data":{"a":"b"}}"#, collapse: "tides", doubled: everywhere),
        Row(
            message: """
                {"notification":{"title":"T"},"android":{"notification":{"tag":"t"}},\
                "apns":{"headers":{"apns-collapse-id":"c"}},\
                "webpush":{"notification":{"tag":"w"}}}
                """,
            replaced: everywhere
        ),
        Row(
            message: #"{"data":{"a":"b"},"apns":{"headers":{"apns-collapse-id":"c"}}}"#,
            doubled: everywhere
        ),
        Row(
            message: #"{"notification":{"title":"T"},"android":{"notification":{"tag":""}}}"#,
            replaced: [.apple, .web],
            doubled: [.android]
        ),
        Row(
            message: #"{"notification":{"title":"T"},"webpush":{"notification":{"tag":""}}}"#,
            replaced: [.android, .apple],
            doubled: [.web]
        ),
    ]

    private static let apple =
        [
            #"{"apns":{"payload":{"aps":{"content-available":1}}}}"#,
            #"{"apns":{"payload":{"aps":{"sound":"s"}}}}"#,
            #"{"apns":{"payload":{"aps":{"badge":1}}}}"#,
            #"{"apns":{"payload":{"aps":{"badge":1,"content-available":1}}}}"#,
            #"{"apns":{"headers":{"apns-push-type":"background"},"payload":{"aps":{"alert":"A"}}}}"#,
            #"{"apns":{"headers":{"apns-push-type":"voip"},"payload":{"aps":{"alert":"A"}}}}"#,
            #"{"apns":{"live_activity_token":"x","payload":{"aps":{"alert":"A","event":"update"}}}}"#,
        ].map { Row(message: $0, doubled: [.apple]) } + [
            Row(
                message: """
                    {"apns":{"headers":{"apns-push-type":"alert"},"payload":{"aps":{"alert":"A"}}}}
                    """,
                replaced: [.apple]
            ),
            Row(
                message: #"{"apns":{"payload":{"aps":{"alert":"A","content-available":1}}}}"#,
                replaced: [.apple]
            ),
        ]
}
