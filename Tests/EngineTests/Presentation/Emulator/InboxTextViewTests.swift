import JSON
import Presentation
import Testing

struct InboxTextViewTests {
    @Test func `shows each device with its received messages`() throws {
        let inboxes = try #require(JSONValue(parsing: Self.inboxes))
        #expect(InboxTextView().render(inboxes) == Self.expected)
    }

    private static let inboxes = #"""
        {"devices": [
          {"name": "phone", "platform": "android", "online": true, "foreground": true,
           "received": [
             {"how": "tray", "title": "Sale", "body": "now\u001b", "tag": "t", "ttl": "90s",
              "data": {"b": "2", "a": "1"}},
             {"how": "app", "data": {"k": "v"}, "collapse_key": "c", "priority": "high"},
             {"how": "app"}],
           "pending": 2, "dropped": 1},
          {"name": "tablet", "platform": "apple", "online": false, "foreground": false,
           "received": [], "pending": 0, "dropped": 0},
          {"name": "watch", "platform": "apple", "online": true, "foreground": false,
           "received": [{"how": "banner", "title": "A", "ttl": "1800000090"},
                        {"how": "banner", "title": "B", "ttl": "0"}],
           "pending": 0, "dropped": 0},
          {"name": "browser", "platform": "web", "online": true, "foreground": false,
           "received": [{"how": "shown", "body": "only a body", "link": "https://x"}],
           "pending": 0, "dropped": 0}
        ]}
        """#

    private static let expected = """
        phone  android · online · in the foreground
          tray      Sale — now\\u{1B}
                    data: a=1, b=2
                    tag: t
                    ttl: 90s
          app       (data)
                    data: k=v
                    collapse: c
                    priority: high
          app       (ping)
          2 waiting
          1 dropped

        tablet  apple · offline
          nothing received

        watch  apple · online
          banner    A
          banner    B
                    ttl: 0

        browser  web · online
          shown     only a body
                    link: https://x

        """

    @Test(arguments: [["devices": []], [:], .null] as [JSONValue])
    func `reports that there is no device`(inboxes: JSONValue) {
        #expect(InboxTextView().render(inboxes) == "The emulator has no devices.\n")
    }
}
