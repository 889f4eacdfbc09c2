import CampaignMessages
import CampaignModel
import Envelopes
import FCMWire
import JSON
import Testing
import Time

struct SealedContentTests {
    private static let data: JSONObject = ["screen": "tides", "text": "Your code is {{code}}"]
    private static let placeholder = MessageEncryption.Placeholder(title: "New message")

    private static func campaign(
        _ message: JSONObject,
        placeholder: MessageEncryption.Placeholder? = nil
    ) throws -> Campaign {
        let plain = try CampaignFixture.campaign(message, ttl: 60, collapse: "tide")
        return Campaign(
            id: plain.id,
            about: nil,
            owner: nil,
            target: plain.target,
            audience: nil,
            content: plain.content,
            delivery: plain.delivery,
            schedule: plain.schedule,
            encryption: MessageEncryption(project: "tidewatch", placeholder: placeholder)
        )
    }

    private static func sent(_ campaign: Campaign) throws -> JSONObject {
        let occurrence = try #require(campaign.onlyOccurrence)
        return MessageTemplate(of: campaign).bound(to: occurrence)
            .message(sentAt: Instant(secondsSince1970: 0)).message
    }

    @Test func `only the context, the envelope and delivery settings are readable`() throws {
        let message = try Self.sent(Self.campaign(["data": .object(Self.data)]))
        #expect(message["data"]?["herald_context"] == "tidewatch/tide/once/1")
        #expect(message["data"]?["herald_envelope"] == .string(SealedContent.mark))
        #expect(message["data"]?.objectValue?.members.count == 2)
        #expect(message["android"] == ["ttl": "60s", "collapse_key": "tide"])
        #expect(message["notification"] == nil)
    }

    @Test func `a placeholder replaces the notification, and lets an extension replace it`() throws
    {
        let message = try Self.sent(
            Self.campaign(
                ["notification": ["title": "Secret"], "data": .object(Self.data)],
                placeholder: Self.placeholder
            )
        )
        #expect(message["notification"] == ["title": "New message"])
        #expect(message["apns"]?["payload"]?["aps"]?["mutable-content"] == 1)
        #expect(message["android"]?["notification"]?["tag"] == "tide")
    }

    @Test func `the clear text contains data and notification as written`() throws {
        let content: JSONObject = ["notification": ["title": "Secret"], "data": .object(Self.data)]
        let campaign = try Self.campaign(content, placeholder: Self.placeholder)
        #expect(MessageTemplate(of: campaign).sealed?.clear == content)
        #expect(MessageTemplate(of: try CampaignFixture.campaign(content)).sealed == nil)
    }

    @Test func `the stored form restores the clear text and the context`() throws {
        let campaign = try Self.campaign(["data": .object(Self.data)])
        let occurrence = try #require(campaign.onlyOccurrence)
        let template = MessageTemplate(of: campaign).bound(to: occurrence)
        let read = try #require(JSONValue(parsing: template.stored.compactText))
        #expect(MessageTemplate(stored: read) == template)
        #expect(template.withoutKey == MessageTemplate(of: campaign).withoutKey)
    }

    @Test func `the preview contains no clear text`() throws {
        let template = MessageTemplate(of: try Self.campaign(["data": .object(Self.data)]))
        let text = JSONValue.object(template.preview.message).compactText
        #expect(!text.contains("tides") && !text.contains("code"))
        #expect(text.contains("tidewatch/CAMPAIGN/SLOT/REVISION"))
    }

    @Test(arguments: ["", "plain", "é🌊", "\"quoted\"\n", "\u{7F}\u{1}"])
    func `the size is that of the envelope of the filled text`(value: String) throws {
        let campaign = try Self.campaign(["data": .object(Self.data)])
        let filled = campaign.filled(with: ["code": value])
        let clear = try #require(MessageTemplate(of: filled).sealed?.clear)
        let message = try Self.sent(filled)
        let size = try #require(PayloadSize(heaviestOf: filled))
        let names = "herald_context".utf8.count + "herald_envelope".utf8.count
        let context = message["data"]?["herald_context"]?.stringValue?.utf8.count ?? 0
        let envelope = Envelope.length(of: JSONValue.object(clear).compactBytes.count)
        #expect(size.bytes == names + context + envelope)
    }
}
