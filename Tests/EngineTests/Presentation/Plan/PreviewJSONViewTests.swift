import CampaignModel
import JSON
import Presentation
import StoreConformance
import Testing

struct PreviewJSONViewTests {
    @Test func `has the request and all platforms`() throws {
        let text = PreviewJSONView().render(try SamplePreview.make(Self.message), only: nil)
        let preview = try #require(JSONValue(parsing: text))
        let expected = try #require(JSONValue(parsing: Self.expected))
        #expect(preview["campaign"] == expected["campaign"])
        #expect(preview["request"] == expected["request"])
        for platform in ["android", "apple", "web"] {
            #expect(preview["platforms"]?[platform] == expected["platforms"]?[platform])
        }
        #expect(preview == expected)
        #expect(text.hasPrefix("{\n  \"campaign\": \"sale\",\n"))
        #expect(text.hasSuffix("}\n"))
    }

    @Test(arguments: Platform.allCases)
    func `the output for one platform has only this platform`(platform: Platform) throws {
        let preview = try SamplePreview.make(Self.message)
        let all = JSONValue(parsing: PreviewJSONView().render(preview, only: nil))
        let one = JSONValue(parsing: PreviewJSONView().render(preview, only: platform))
        #expect(one?["request"] == all?["request"])
        let platforms = one?["platforms"]?.objectValue?.members
        #expect(platforms?.map(\.key) == [platform.rawValue])
        #expect(platforms?.first?.value == all?["platforms"]?[platform.rawValue])
    }

    @Test func `hides the registrations of a list`() throws {
        let list = RegistrationList.inline(try StoreFixtures.registrations(0..<2))
        let preview = try SamplePreview.make(to: .registrations(list))
        let text = PreviewJSONView().render(preview, only: nil)
        let body = JSONValue(parsing: text)?["request"]?["body"]
        #expect(body?["message"]?["token"] == "<registration>")
        #expect(!text.contains("SECRET"))
    }

    @Test func `contains no terminal control characters`() throws {
        let text = PreviewJSONView().render(try SamplePreview.make(), only: nil)
        let steering = Array(text.unicodeScalars).filter {
            $0.properties.generalCategory == .control && $0 != "\n"
                || $0.properties.generalCategory == .format
        }
        #expect(steering == [])
    }

    private static let message: JSONObject = [
        "notification": ["title": "Hello"], "apns": ["payload": ["aps": ["alert": "Hey"]]],
    ]

    /// Bytes counted manually: title Hello 10, the tag sale on Android and the web 7, Apple's body
    /// Hey 7.
    private static let expected = #"""
        {
          "campaign": "sale",
          "request": {
            "method": "POST", "path": "/v1/projects/shop-1/messages:send",
            "body": {"message": {
              "topic": "news", "notification": {"title": "Hello"},
              "android": {"ttl": "90s", "notification": {"tag": "sale"}},
              "apns": {
                "payload": {"aps": {"alert": "Hey"}},
                "headers": {"apns-expiration": "moment of sending + 90 s", "apns-collapse-id": "sale"}
              },
              "webpush": {
                "headers": {"TTL": "90", "Topic": "sale"}, "notification": {"tag": "sale"}
              }
            }}
          },
          "platforms": {
            "android": {
              "kind": "notification", "bytes": 17, "limit": 2048,
              "message": {
                "notification": {"title": "Hello"},
                "android": {"ttl": "90s", "notification": {"tag": "sale"}}
              },
              "fields": [
                {"field": "notification.title", "value": "Hello", "origin": "notification.title"},
                {"field": "android.ttl", "value": "90s", "origin": "delivery.ttl"},
                {"field": "android.notification.tag", "value": "sale", "origin": "delivery.collapse"}
              ]
            },
            "apple": {
              "kind": "notification", "bytes": 17, "limit": 2048,
              "message": {
                "notification": {"title": "Hello", "body": "Hey"},
                "apns": {"headers": {
                  "apns-expiration": "moment of sending + 90 s", "apns-collapse-id": "sale"
                }}
              },
              "fields": [
                {"field": "notification.title", "value": "Hello", "origin": "notification.title"},
                {"field": "notification.body", "value": "Hey", "origin": "apns.payload.aps.alert"},
                {"field": "apns.headers.apns-collapse-id", "value": "sale",
                 "origin": "delivery.collapse"},
                {"field": "apns.headers.apns-expiration", "value": "moment of sending + 90 s",
                 "origin": "delivery.ttl"}
              ]
            },
            "web": {
              "kind": "notification", "bytes": 17, "limit": 2048,
              "message": {
                "notification": {"title": "Hello"},
                "webpush": {
                  "headers": {"TTL": "90", "Topic": "sale"}, "notification": {"tag": "sale"}
                }
              },
              "fields": [
                {"field": "notification.title", "value": "Hello", "origin": "notification.title"},
                {"field": "webpush.headers.TTL", "value": "90", "origin": "delivery.ttl"},
                {"field": "webpush.headers.Topic", "value": "sale", "origin": "delivery.collapse"},
                {"field": "webpush.notification.tag", "value": "sale", "origin": "delivery.collapse"}
              ]
            }
          }
        }
        """#
}
