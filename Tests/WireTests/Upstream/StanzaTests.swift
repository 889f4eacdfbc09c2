import JSON
import Testing
import Upstream

struct GCMStanzaTests {
    @Test func `an acknowledgement has the documented form`() {
        let text = stanza(Acknowledgement(registration: "REGID", messageID: "m-1366082849205"))
        #expect(
            text == #"<message id=""><gcm xmlns="google:mobile:data">"#
                + #"{"to":"REGID","message_id":"m-1366082849205","message_type":"ack"}"#
                + "</gcm></message>"
        )
    }

    @Test func `JSON is escaped as XML`() {
        let text = stanza(Acknowledgement(registration: "a<b>&\"c", messageID: "]]>\u{1}"))
        #expect(text.contains(#""to":"a&lt;b&gt;&amp;\"c","message_id":"]]&gt;\u0001""#))
    }

    @Test func `an address is the attribute to`() {
        let peer = "devices.example/a\"b&"
        let text = stanza(Acknowledgement(registration: "r", messageID: "m", peer: peer))
        #expect(text.hasPrefix(#"<message id="" to="devices.example/a&quot;b&amp;"><gcm "#))
    }

    private func stanza(_ acknowledgement: Acknowledgement) -> String {
        var bytes: [UInt8] = []
        GCMStanza.append(acknowledgement, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

struct ServerStanzaTests {
    @Test func `reads an order to drain`() throws {
        let text = #"{"message_type":"control","control_type":"CONNECTION_DRAINING"}"#
        #expect(try read(text) == .draining)
        let older = #"{"message_type":"nack","error":"CONNECTION_DRAINING"}"#
        #expect(try read(older) == .draining)
    }

    @Test(arguments: ServerStanza.Refusal.codes.subtracting(["CONNECTION_DRAINING"]))
    func `reads a refusal`(code: String) throws {
        let text = """
            {"message_type":"nack","message_id":"m-1","from":"SomeInvalidRegistrationId",
             "error":"\(code)","error_description":"why"}
            """
        guard case .refusal(let refusal) = try read(text) else {
            Issue.record("not a refusal")
            return
        }
        #expect(refusal.code == code && refusal.isDocumented)
        #expect(refusal.messageID == "m-1" && refusal.description == "why")
    }

    @Test func `reads a receipt`() throws {
        let text = """
            {"category":"com.example.yourapp","data":{"message_status":"MESSAGE_SENT_TO_DEVICE",
             "original_message_id":"m-1366082849205","device_registration_id":"REGISTRATION_ID",
             "message_sent_timestamp":"1430277821658"},
             "message_id":"dr2:m-1366082849205","message_type":"receipt",
             "from":"gcm.googleapis.com"}
            """
        guard case .receipt(let receipt) = try read(text) else {
            Issue.record("not a receipt")
            return
        }
        #expect(receipt.from == "gcm.googleapis.com")
        #expect(receipt.messageID == "dr2:m-1366082849205")
        #expect(receipt.registration == "REGISTRATION_ID")
        #expect(receipt.data["message_status"] == "MESSAGE_SENT_TO_DEVICE")
    }

    @Test func `reads an acknowledgement`() throws {
        let text = #"{"from":"REGID","message_id":"m-1","message_type":"ack"}"#
        #expect(try read(text) == .acknowledgement(messageID: "m-1"))
    }

    @Test(arguments: [
        #"{"message_type":"control","control_type":"OTHER"}"#, #"{"message_type":7}"#,
        #"{"message_type":"receipt","message_id":"dr2:m"}"#, #"{"message_type":"quack"}"#,
    ])
    func `an unknown form is no order`(text: String) throws {
        guard case .unknown = try read(text) else {
            Issue.record("not unknown")
            return
        }
    }

    private func read(_ text: String) throws -> ServerStanza {
        ServerStanza(try #require(JSONValue(parsing: text)?.objectValue))
    }
}
