import CampaignModel
import FCMWire
import JSON
import Presentation
import StoreConformance
import Testing

struct PreviewTextViewTests {
    private let view = PreviewTextView(style: TextStyle(useColor: false))

    @Test func `shows the request, and each platform's message`() throws {
        #expect(view.render(try SamplePreview.make(), only: nil) == Self.everything)
    }

    @Test(arguments: [
        (60, "  data.long           long long long long long l…  data.long"),
        (
            80,
            "  data.long           long long long long long long long long long l…  data.long"
        ),
    ])
    func `tables are as wide as the terminal`(columns: Int, row: String) throws {
        let style = TextStyle(useColor: false, width: TextWidth(columns: columns))
        let text = PreviewTextView(style: style).render(try SamplePreview.make(), only: .android)
        #expect(text.contains("\n" + row + "\n"))
    }

    @Test(arguments: [120, 160])
    func `a wide table shows all values`(columns: Int) throws {
        let style = TextStyle(useColor: false, width: TextWidth(columns: columns))
        let text = PreviewTextView(style: style).render(try SamplePreview.make(), only: .android)
        #expect(!text.contains("…"))
    }

    /// The expected output, with bytes counted manually.
    ///
    /// Android: title Hi 7, body you 7, screen 7 + 3, long 54, tag sale 7. Apple: title Hello 11,
    /// body Hey 7, the same data 64, tide height 4 11. Web: title Hello 11, body you 7, only web 7,
    /// the mark 3 and true 4, tag sale 7.
    private static let everything = #"""
        sale to topic news (declared reach 12,000)
        everywhere: notification + data

        POST /v1/projects/shop-1/messages:send
        {
          "message": {
            "topic": "news",
            "notification": {
              "title": "Hello\u0007",
              "body": "you"
            },
            "data": {
              "screen\u001b": "潮",
              "long": "long long long long long long long long long long "
            },
            "android": {
              "notification": {
                "title": "Hi",
                "tag": "sale"
              },
              "ttl": "90s"
            },
            "apns": {
              "payload": {
                "aps": {
                  "alert": "Hey"
                },
                "tide": {
                  "height": 4
                }
              },
              "headers": {
                "apns-collapse-id": "sale",
                "apns-expiration": "moment of sending + 90 s"
              }
            },
            "webpush": {
              "data": {
                "only": "web"
              },
              "notification": {
                "\u202e": true,
                "tag": "sale"
              },
              "headers": {
                "TTL": "90",
                "Topic": "sale"
              }
            }
          }
        }

        android  notification + data, 85 of 2,048 bytes
          notification.title  Hi                              android.notification.title
          notification.body   you                                      notification.body
          data.screen\u{1B}   潮                                       data.screen\u{1B}
          data.long           long long long long long long long long long l…  data.long
          notification.tag    sale                                     delivery.collapse
          ttl                 90s                                           delivery.ttl

        apple  notification + data, 93 of 2,048 bytes
          notification.title        Hello\u{7}                        notification.title
          notification.body         Hey                           apns.payload.aps.alert
          data.screen\u{1B}         潮                                 data.screen\u{1B}
          data.long                 long long long long long long long long …  data.long
          payload.tide              {"height":4}                       apns.payload.tide
          headers.apns-collapse-id  sale                               delivery.collapse
          headers.apns-expiration   moment of sending + 90 s                delivery.ttl

        web  notification + data, 39 of 2,048 bytes
          notification.title     Hello\u{7}       notification.title
          notification.body      you               notification.body
          data.only              web               webpush.data.only
          notification.\u{202E}  true  webpush.notification.\u{202E}
          notification.tag       sale              delivery.collapse
          headers.TTL            90                     delivery.ttl
          headers.Topic          sale              delivery.collapse

        """#

    @Test func `the output for one platform has its message instead of the request`() throws {
        #expect(
            view.render(try SamplePreview.make(), only: .web) == #"""
                sale to topic news (declared reach 12,000)
                web: notification + data

                {
                  "notification": {
                    "title": "Hello\u0007",
                    "body": "you"
                  },
                  "data": {
                    "only": "web"
                  },
                  "webpush": {
                    "notification": {
                      "\u202e": true,
                      "tag": "sale"
                    },
                    "headers": {
                      "TTL": "90",
                      "Topic": "sale"
                    }
                  }
                }

                web  notification + data, 39 of 2,048 bytes
                  notification.title     Hello\u{7}       notification.title
                  notification.body      you               notification.body
                  data.only              web               webpush.data.only
                  notification.\u{202E}  true  webpush.notification.\u{202E}
                  notification.tag       sale              delivery.collapse
                  headers.TTL            90                     delivery.ttl
                  headers.Topic          sale              delivery.collapse

                """#
        )
    }

    @Test func `hides the registrations of a list`() throws {
        let list = RegistrationList.inline(try StoreFixtures.registrations(0..<2))
        let text = view.render(try SamplePreview.make(to: .registrations(list)), only: nil)
        #expect(text.hasPrefix("sale to 2 registrations written in the campaign\n"))
        #expect(text.contains(#"    "token": "<registration>","#))
        #expect(text.contains("of 4,000 bytes\n"))
        #expect(!text.contains("SECRET"))
    }

    @Test func `a platform without content receives nothing`() throws {
        let preview = try SamplePreview.make(["android": ["data": ["a": "b"]]])
        let text = view.render(preview, only: nil)
        #expect(text.contains("\nandroid: data; apple, web: nothing\n"))
        #expect(text.contains("\nandroid  data, 2 of 2,048 bytes\n"))
        #expect(text.hasSuffix("\n\napple  receives nothing\n\nweb  receives nothing\n"))
        #expect(view.render(preview, only: .apple).hasSuffix("\n\n{}\n\napple  receives nothing\n"))
    }

    @Test func `shows common parts once`() throws {
        let text = view.render(try SamplePreview.make([:]), only: nil)
        #expect(text.contains("\neverywhere: ping\n"))
        #expect(text.contains("\nweb  ping, 0 of 2,048 bytes\n"))
    }

    @Test func `a very long key moves only its own row`() throws {
        let key = String(repeating: "k", count: 40)
        let text = view.render(
            try SamplePreview.make(["data": [key: "x", "a": "b"]]),
            only: .android
        )
        #expect(text.contains("\n  data.\(key)  x  data.\(key)\n"))
        let gap = String(repeating: " ", count: 26)
        #expect(text.contains("\n  data.a\(gap)  b"))
    }

    @Test func `colours names, origins and oversized parts on request`() throws {
        let painted = PreviewTextView(style: TextStyle(useColor: true))
        let heavy = String(repeating: "x", count: 2_048)
        let text = painted.render(
            try SamplePreview.make(["data": ["a": .string(heavy)]]),
            only: nil
        )
        #expect(text.hasPrefix("\u{1B}[1msale\u{1B}[0m to topic"))
        #expect(
            text.contains("\u{1B}[1mweb\u{1B}[0m  data, \u{1B}[31m2,049 of 2,048 bytes\u{1B}[0m")
        )
        #expect(text.contains("  \u{1B}[2mdelivery.ttl\u{1B}[0m\n"))
    }
}
