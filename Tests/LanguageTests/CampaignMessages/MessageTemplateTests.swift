import CampaignMessages
import CampaignModel
import FCMWire
import JSON
import TestSupport
import Testing
import Time

struct MessageTemplateTests {
    @Test(arguments: [nil, 0, 60, 2_419_200] as [Int64?])
    func `can be restored from its stored form`(ttl: Int64?) throws {
        let campaign = try CampaignFixture.campaign(
            ["notification": ["title": "Flut \"heute\"\n潮"], "data": ["a": ""]],
            ttl: ttl
        )
        let key = DeduplicationKey(stored: "0011223344556677")
        let template = DeliveryLowering(campaign).template.keyed(key)
        let text = template.stored.compactText
        let read = try #require(JSONValue(parsing: text))
        let back = try #require(MessageTemplate(stored: read))
        #expect(back == template)
        let moment = Instant(secondsSince1970: 1_700_000_000)
        #expect(back.message(sentAt: moment) == template.message(sentAt: moment))
    }

    private static func localized(_ text: JSONObject) throws -> MessageTemplate {
        let pt = try #require(Locale("pt"))
        let campaign = try CampaignFixture.campaign(
            ["notification": ["title": "Tides"]],
            ttl: 60,
            localizations: [Localization(locale: pt, content: MessageContent(fields: text))]
        )
        return MessageTemplate(of: campaign)
    }

    @Test func `the texts of locales are restored and keyed with the campaign's own`() throws {
        let template = try Self.localized(["notification": ["title": "Marés"]])
        #expect(template.needsKey)
        let keyed = template.keyed(DeduplicationKey(stored: "0011223344556677"))
        #expect(!keyed.needsKey)
        #expect(keyed.texts.map { $0.fields["notification"]?["title"] } == ["Tides", "Marés"])
        let tags = keyed.texts.map { $0.fields["android"]?["notification"]?["tag"] }
        #expect(tags == ["0011223344556677", "0011223344556677"])
        let read = try #require(JSONValue(parsing: keyed.stored.compactText))
        #expect(MessageTemplate(stored: read) == keyed)
        #expect(template.withoutKey.others.map(\.key.stored) == ["pt"])
    }

    @Test func `the longest life of all texts counts`() throws {
        let template = try Self.localized(["android": ["ttl": "3600s"]])
        #expect(template.life == 3_600)
    }

    @Test(.covers("F1.5-live-activity"))
    func `a Live Activity's token is sent but never shown`() throws {
        let message: JSONObject = ["apns": ["live_activity_token": "8f3a"]]
        let template = DeliveryLowering(try CampaignFixture.campaign(message)).template
        let moment = Instant(secondsSince1970: 1_700_000_000)
        #expect(template.message(sentAt: moment).message == message)
        #expect(template.preview.message == ["apns": ["live_activity_token": "<redacted>"]])
        #expect(!JSONValue.object(template.preview.message).compactText.contains("8f3a"))
    }

    @Test func `the stored form has its own field names`() throws {
        let campaign = try CampaignFixture.campaign(
            ["apns": ["payload": ["tide": 1]]],
            ttl: 60
        )
        #expect(
            DeliveryLowering(campaign).template.stored.compactText
                == #"{"fields":{"apns":{"payload":{"tide":1}}},"apple_time_to_live":60}"#
        )
    }

    @Test(arguments: [
        "{}", "[]", "null", #"{"fields":"text"}"#, #"{"fields":{},"expiry":{}}"#,
        #"{"fields":{},"expiry":{"end":1,"countdowns":["phone"]}}"#,
        #"{"fields":{},"locales":{"pt_BR":{"fields":{}}}}"#, #"{"fields":{},"locales":{"pt":{}}}"#,
    ])
    func `is not created from other JSON`(text: String) throws {
        #expect(MessageTemplate(stored: try #require(JSONValue(parsing: text))) == nil)
    }
}
