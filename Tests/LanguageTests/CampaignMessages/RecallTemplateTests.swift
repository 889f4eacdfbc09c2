import CampaignMessages
import CampaignModel
import FCMWire
import JSON
import TestSupport
import Testing
import Time

struct RecallTemplateTests {
    private static let due = Instant(secondsSince1970: 1_800_000_000)

    private func template(
        _ message: String,
        collapse: String? = nil
    ) throws -> (message: MessageTemplate, key: String) {
        let fields = try #require(JSONValue(parsing: message)?.objectValue)
        let campaign = try CampaignFixture.campaign(fields, collapse: collapse)
        let id = OccurrenceID(campaign: campaign.id, slot: .once, revision: 1)
        let key = DeduplicationKey(of: id)
        return (DeliveryLowering(campaign).template.keyed(key), key.text)
    }

    private func recall(
        _ template: MessageTemplate,
        by message: RecallMessage = .standard
    ) -> JSONValue {
        .object(template.recalled(by: message, due: Self.due).message(sentAt: Self.due).message)
    }

    @Test func `each platform gets the text under its key`() throws {
        let (template, key) = try template(#"{"notification":{"title":"Wrong"}}"#)
        let sent = recall(template)
        let body = JSONValue.string("Please ignore the previous message")
        #expect(sent["notification"] == nil)
        #expect(sent["android"]?["notification"] == ["tag": .string(key), "body": body])
        #expect(sent["apns"]?["headers"]?["apns-collapse-id"] == .string(key))
        #expect(sent["apns"]?["payload"] == ["aps": ["alert": ["body": body]]])
        #expect(sent["webpush"]?["notification"] == ["tag": .string(key), "body": body])
    }

    @Test func `it ends with the message`() throws {
        let text =
            #"{"notification":{"title":"W"},"android":{"ttl":"3600s"},"#
            + #""apns":{"headers":{"apns-expiration":"0"}},"webpush":{"headers":{"TTL":"60"}}}"#
        let (template, _) = try template(text)
        let end = Self.due.advanced(bySeconds: 3_600)
        #expect(template.recallEnd(due: Self.due) == end)
        let later = template.recalled(by: .standard, due: Self.due)
        let sent = JSONValue.object(
            later.message(sentAt: Self.due.advanced(bySeconds: 600)).message
        )
        #expect(sent["android"]?["ttl"] == "3000s")
        #expect(sent["webpush"]?["headers"]?["TTL"] == "3000")
        let apple = JSONValue.string("\(end.secondsSince1970)")
        #expect(sent["apns"]?["headers"]?["apns-expiration"] == apple)
        #expect(later.isOver(at: end, due: Self.due))
    }

    @Test func `platforms that show nothing get nothing`() throws {
        let text =
            #"{"data":{"k":"v"},"android":{"notification":{"title":"Wrong","channel_id":"c"}}}"#
        let (template, key) = try template(text)
        let sent = recall(template, by: .notification(title: "Sorry", body: nil))
        #expect(sent["apns"] == nil)
        #expect(sent["webpush"] == nil)
        #expect(sent["data"] == nil)
        #expect(
            sent["android"]?["notification"]
                == ["channel_id": "c", "tag": .string(key), "title": "Sorry"]
        )
        let effect = RecallEffect(of: template)
        #expect(effect.replaced == [.android])
        #expect(effect.left == [])
    }

    @Test func `a silent recall names the key in data`() throws {
        let (template, _) = try template(#"{"notification":{"title":"Wrong"}}"#, collapse: "offer")
        let sent = recall(template, by: .silent)
        #expect(sent["android"]?["data"] == ["herald_recall": "offer"])
        #expect(sent["android"]?["notification"] == nil)
        #expect(
            sent["apns"]?["payload"] == ["aps": ["content-available": 1], "herald_recall": "offer"]
        )
        #expect(sent["apns"]?["headers"]?["apns-priority"] == "5")
        #expect(sent["webpush"]?["data"] == ["herald_recall": "offer"])
        #expect(sent["webpush"]?["headers"]?["Topic"] == "offer")
    }

    @Test func `a message without a notification cannot be replaced`() throws {
        let (template, _) = try template(#"{"data":{"k":"v"}}"#)
        #expect(!RecallEffect(of: template).canReplace)
        #expect(template.replacementKeys.isEmpty)
    }

    @Test func `a badge without an alert is left on Apple platforms`() throws {
        let text =
            #"{"android":{"notification":{"title":"W"}},"apns":{"payload":{"aps":{"badge":1}}}}"#
        let effect = RecallEffect(of: try template(text).message)
        #expect(effect.replaced == [.android])
        #expect(effect.left == [.apple])
    }

    @Test func `the stored form keeps the message and its end`() throws {
        let (template, _) = try template(#"{"notification":{"title":"Wrong"}}"#)
        let recalled = template.recalled(by: .standard, due: Self.due)
        #expect(MessageTemplate(stored: recalled.stored) == recalled)
        for message in [RecallMessage.silent, .standard, .notification(title: "a", body: "b")] {
            #expect(RecallMessage(stored: message.stored) == message)
        }
    }
}
