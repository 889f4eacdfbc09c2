import CampaignModel
import TestSupport
import Testing

struct TopicTests {
    @Test(
        .covers("A42", "F2.2-topic-name", "F2.3-name"),
        arguments: ["a", "a-B_9.~%", "0", String(repeating: "t", count: 900)]
    )
    func `accepts 1 to 900 of the characters that FCM allows`(name: String) {
        #expect(Topic(name)?.name == name)
        #expect(Topic("/topics/" + name)?.name == name)
    }

    @Test(
        .covers("F2.2-topic-name", "F2.3-name", "F2.3-newline"),
        arguments: [
            "", "/topics/", "a b", "a/b", "topics/a", "/topics//topics/a", "é", "a\n", "#a", "a,b",
            String(repeating: "t", count: 901),
        ]
    )
    func `refuses other topic names`(name: String) {
        #expect(Topic(name) == nil)
    }

    @Test func `topics sort by name, uppercase first`() throws {
        let names = ["tides", "Tides", "azores", "tide"].compactMap { Topic($0) }
        #expect(names.sorted().map(\.name) == ["Tides", "azores", "tide", "tides"])
    }
}

struct IdentifierTests {
    @Test(arguments: ["a", "9", "tide-alert_2.b", String(repeating: "n", count: 64)])
    func `accepts names of up to 64 characters`(text: String) {
        #expect(CampaignID(text)?.rawValue == text)
    }

    @Test(arguments: [
        "", "-a", "_a", ".a", "a b", "a/b", "é", String(repeating: "n", count: 65),
    ])
    func `refuses other names`(text: String) {
        #expect(CampaignID(text) == nil)
    }
}

struct CollapseKeyTests {
    @Test(arguments: ["a", "a-B_9", String(repeating: "k", count: 32)])
    func `accepts 1 to 32 characters of URL-safe base64`(text: String) {
        #expect(CollapseKey(text)?.text == text)
    }

    @Test(arguments: ["", "a.b", "a+b", "a b", "é", String(repeating: "k", count: 33)])
    func `refuses keys that the web does not allow`(text: String) {
        #expect(CollapseKey(text) == nil)
    }
}
