import CampaignModel
import Inbox
import TestSupport
import Testing
import Time

struct UpstreamMessageTests {
    private func read(_ json: String) throws(UpstreamMessageError) -> UpstreamMessage {
        try UpstreamMessage(
            parsing: Array(json.utf8),
            to: InboxFixtures.sender,
            arrival: InboxFixtures.arrival
        )
    }

    @Test func `reads the message of the documents`() throws {
        let message = try read(
            #"{"category":"com.example.yourapp","data":{"hello":"world"},"#
                + #""message_id":"m-123","from":"REGID"}"#
        )
        #expect(message.id == "m-123")
        #expect(message.category == "com.example.yourapp")
        #expect(message.data == ["hello": "world"])
        #expect(message.registration.token == "REGID")
        #expect(message.timeToLive == nil)
        #expect(message.sender == InboxFixtures.sender)
    }

    @Test(.covers("U02"))
    func `accepts both addresses of the sender, and members that servers add`() throws {
        for host in ["", "@gcm.googleapis.com", "@fcm.googleapis.com"] {
            let message = try read(
                #"{"to":"1029384756\#(host)","from":"R","message_id":"1","category":"c","#
                    + #""data":{},"time_to_live":2419200,"persistent_id":"0:1"}"#
            )
            #expect(message.timeToLive == 2_419_200)
        }
    }

    @Test(arguments: [
        ("", UpstreamMessageError.notJSON(offset: 0)),
        (#"{"from":"R""#, .notJSON(offset: 11)),
        ("[]", .notAnObject),
        (#"{"from":"R","from":"S"}"#, .repeatedKey("from")),
        (#"{"from":"R\u0000"}"#, .nul),
        (#"{"message_type":"ack","from":"R","message_id":"1"}"#, .otherType("ack")),
        (#"{"message_id":"1","category":"c","data":{}}"#, .missing(.from)),
        (#"{"from":"R","category":"c","data":{}}"#, .missing(.messageID)),
        (#"{"from":"R","message_id":"","category":"c","data":{}}"#, .empty(.messageID)),
        (#"{"from":"R","message_id":"1","data":{}}"#, .missing(.category)),
        (#"{"from":"R","message_id":"1","category":"c"}"#, .missing(.data)),
        (#"{"from":"R","message_id":"1","category":"c","data":[]}"#, .wrongType(.data)),
        (
            #"{"from":"R","message_id":"1","category":"c","data":{"n":1}}"#,
            .notAStringPair(key: "n")
        ),
        (#"{"from":7,"message_id":"1","category":"c","data":{}}"#, .wrongType(.from)),
        (#"{"from":"two words","message_id":"1","category":"c","data":{}}"#, .invalidRegistration),
        (
            #"{"from":"R","message_id":"1","category":"c","data":{},"time_to_live":"1"}"#,
            .wrongType(.timeToLive)
        ),
        (
            #"{"from":"R","message_id":"1","category":"c","data":{},"time_to_live":2419201}"#,
            .timeToLiveOutOfRange(2_419_201)
        ),
        (#"{"to":"5@fcm.googleapis.com","from":"R"}"#, .foreignSender),
        (#"{"to":"1029384756@evil.example","from":"R"}"#, .foreignSender),
    ])
    func `names what is wrong`(json: String, error: UpstreamMessageError) {
        #expect(throws: error) { try read(json) }
    }

    @Test func `accepts 4,096 bytes and refuses one more`() throws {
        let head = #"{"from":"R","message_id":"1","category":"c","data":{"k":""#
        for (size, fits) in [(4_096, true), (4_097, false)] {
            let padding = String(repeating: "x", count: size - head.utf8.count - 3)
            let json = head + padding + #""}}"#
            #expect(json.utf8.count == size)
            if fits {
                #expect(try read(json).data["k"] == padding)
            } else {
                #expect(throws: UpstreamMessageError.tooLarge(bytes: size)) { try read(json) }
            }
        }
    }

    @Test(arguments: ["", "12a", "123456789012345678901", "1029384756@", "@gcm.googleapis.com"])
    func `refuses sender IDs that are not numbers`(address: String) {
        #expect(SenderID(address: address) == nil)
    }
}
