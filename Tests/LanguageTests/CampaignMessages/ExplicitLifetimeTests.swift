import CampaignMessages
import CampaignModel
import JSON
import Testing
import Time

struct StatedLifeTests {
    private static func life(_ text: String, on platform: Platform) -> ExplicitLifetime? {
        let fields: JSONObject =
            switch platform {
            case .android: ["android": ["ttl": .string(text)]]
            case .apple: ["apns": ["headers": ["apns-expiration": .string(text)]]]
            case .web: ["webpush": ["headers": ["TTL": .string(text)]]]
            }
        return MessageContent(fields: fields).statedLife(on: platform)
    }

    @Test func `Android and the web use seconds, Apple platforms a time or 0`() {
        #expect(Self.life("3600s", on: .android) == .seconds(3_600))
        #expect(Self.life("3.5s", on: .android) == .seconds(3))
        #expect(Self.life("0", on: .web) == .seconds(0))
        #expect(Self.life("900", on: .web) == .seconds(900))
        #expect(Self.life("0", on: .apple) == .seconds(0))
        let moment = Instant(secondsSince1970: 1_604_750_400)
        #expect(Self.life("1604750400", on: .apple) == .until(moment))
    }

    @Test(arguments: Platform.allCases)
    func `a missing or non-numeric field has no lifetime`(platform: Platform) {
        #expect(Self.life("soon", on: platform) == nil)
        #expect(MessageContent(fields: [:]).statedLife(on: platform) == nil)
    }
}
