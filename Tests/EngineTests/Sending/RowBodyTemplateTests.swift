import CampaignMessages
import CampaignModel
import Crypto
import Envelopes
import FoundationEssentials
import JSON
import State
import Testing
import Time

@testable import Sending

struct RowBodyTemplateTests {
    private static let now = Instant(secondsSince1970: 1_700_000_000)
    private let device = Curve25519.KeyAgreement.PrivateKey()

    private func template(encrypted: Bool = true) throws -> MessageTemplate {
        let campaign = Campaign(
            id: try #require(CampaignID("tide")),
            about: nil,
            owner: nil,
            target: .registrations(.file(path: "l.txt")),
            audience: nil,
            content: MessageContent(fields: ["data": ["a": "{{name}}!", "b": "c"]]),
            delivery: .unspecified,
            schedule: .immediate,
            encryption: encrypted ? MessageEncryption(project: "tidewatch") : nil
        )
        return MessageTemplate(of: campaign).bound(to: try #require(campaign.onlyOccurrence))
    }

    private func row(_ name: String, key: String? = nil) throws -> RegistrationRow {
        let text = Base64Text.encode(Array(device.publicKey.rawRepresentation))
        let registration = try #require(Registration("phone:1"))
        return RegistrationRow(registration, values: [name, key ?? text])
    }

    private func opened(_ body: [UInt8]) throws -> String {
        let data = try #require(JSONValue(parsing: body)?["message"]?["data"])
        let text = try #require(data["herald_envelope"]?.stringValue)
        let bytes = try #require(Base64Text.decode(text))
        var recipient = try HPKE.Recipient(
            privateKey: device,
            ciphersuite: HPKE.Ciphersuite(
                kem: .Curve25519_HKDF_SHA256,
                kdf: .HKDF_SHA256,
                aead: .AES_GCM_256
            ),
            info: Data(Envelope.info.utf8),
            encapsulatedKey: Data(bytes[9..<41])
        )
        let context = try #require(data["herald_context"]?.stringValue)
        let clear = try recipient.open(
            Data(bytes[41...]),
            authenticating: Data(context.utf8) + Data(bytes[1..<9])
        )
        return String(decoding: clear, as: UTF8.self)
    }

    private static let shape = ListShape(columns: ["name", MessageColumns.keyColumn])

    @Test(arguments: ["Ana", "\"quoted\"\n", "{{name}}", "é🌊", ""])
    func `each row gets its own values in an envelope`(name: String) throws {
        let template = try RowBodyTemplate(self.template(), sentAt: Self.now, for: Self.shape)
        let body = try template.body(to: row(name))
        let clear: JSONValue = ["data": ["a": .string("\(name)!"), "b": "c"]]
        #expect(try opened(body) == clear.compactText)
        #expect(JSONValue(parsing: body)?["message"]?["token"] == "phone:1")
        #expect(try template.body(to: row(name)) != body)
    }

    @Test func `no message is sent in the clear if its list has no keys`() throws {
        let bare = ListShape(columns: ["name"])
        #expect(throws: StateStoreError.self) {
            try RowBodyTemplate(self.template(), sentAt: Self.now, for: bare)
        }
        let template = try RowBodyTemplate(self.template(), sentAt: Self.now, for: Self.shape)
        #expect(throws: StateStoreError.self) { try template.body(to: row("Ana", key: "")) }
    }

    @Test func `a message without encryption is as before`() throws {
        let template = try RowBodyTemplate(
            self.template(encrypted: false),
            sentAt: Self.now,
            for: Self.shape
        )
        let message = JSONValue(parsing: try template.body(to: row("Ana")))?["message"]
        #expect(message?["data"] == ["a": "Ana!", "b": "c"])
    }
}
