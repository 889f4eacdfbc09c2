import Testing
import Text

struct SpellingSuggestionTests {
    @Test(arguments: [
        ("tidez", ["azores", "tides"], "tides"), ("titel", ["body", "title"], "title"),
        ("mesage", ["message", "massage"], "message"), ("TTL", ["ttl"], "ttl"),
        ("audeince", ["audience"], "audience"), ("colapse", ["collapse"], "collapse"),
        ("registratoins", ["registrations"], "registrations"), ("tt", ["ttl"], "ttl"),
        ("ttls", ["ttl", "tls"], "ttl"), ("Prority", ["priority"], "priority"),
        ("flüt", ["flut"], "flut"), ("Cafe\u{301}", ["café"], "café"),
        ("cat", ["bat", "cut", "Cat"], "bat"),
    ])
    func `finds the nearest candidate`(word: String, candidates: [String], nearest: String) {
        #expect(SpellingSuggestion.nearest(to: word, among: candidates) == nearest)
    }

    @Test(
        arguments: [
            ("ttl", ["priority", "collapse"]), ("tides", ["dates"]), ("id", ["up"]), ("x", []),
            ("", ["a"]), (String(repeating: "a", count: 257), [String(repeating: "a", count: 256)]),
        ] as [(String, [String])]
    )
    func `finds nothing if no candidate is near`(word: String, candidates: [String]) {
        #expect(SpellingSuggestion.nearest(to: word, among: candidates) == nil)
    }

    @Test(arguments: [
        ("clickAction", "click_action", true), ("DATA", "data", true), ("a-b", "a_b", true),
        ("dat", "data", false), ("click_acton", "click_action", false), ("X1", "x1", false),
    ])
    func `a suggestion is certain if no other candidate differs only in case and separators`(
        word: String,
        candidate: String,
        isSure: Bool
    ) {
        let candidates = ["click_action", "data", "a_b", "x1", "x_1"]
        #expect(
            SpellingSuggestion.isSure(candidate, for: word, among: candidates) == isSure
        )
    }

    @Test func `suggests names for only the first mistakes if there are many names`() {
        let names = (0..<50_000).map { "topic-number-\($0)" }
        var suggestions = BoundedSuggestions()
        let found = (0..<6).map { _ in suggestions.nearest(to: "topic-numbr-0", among: names) }
        #expect(found.map { $0 != nil } == [true, true, true, true, false, false])
        var few = BoundedSuggestions()
        let all = (0..<6).map { _ in few.nearest(to: "tidez", among: ["tides"]) }
        #expect(all.allSatisfy { $0 == "tides" })
    }

    @Test func `prefers the smaller distance to the earlier candidate`() {
        let near = SpellingSuggestion.nearest(to: "campaigns", among: ["campings", "campaign"])
        #expect(near == "campaign")
    }
}
