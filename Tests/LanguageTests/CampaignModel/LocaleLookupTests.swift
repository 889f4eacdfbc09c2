import CampaignModel
import Testing

struct LocaleLookupTests {
    /// Returns the key, `own`, or `uncovered`.
    private static func match(_ tag: String, among keys: [String]) throws -> String {
        let ranges = try keys.map { try #require(LocaleRange($0)) }
        let locale = try #require(Locale(tag))
        switch LocaleLookup(ranges).match(for: locale) {
        case .localization(let locale): return locale.tag
        case .own: return "own"
        case .uncovered: return "uncovered"
        }
    }

    /// RFC 4647, section 3.4, example of a lookup fallback pattern.
    private static let pattern = [
        "zh-Hant-CN-x-private1-private2", "zh-Hant-CN-x-private1", "zh-Hant-CN", "zh-Hant", "zh",
    ]

    @Test(arguments: pattern.indices)
    func `shortens the range of the RFC step by step`(step: Int) throws {
        let keys = Array(Self.pattern[step...])
        for order in [keys, keys.reversed()] {
            #expect(try Self.match(Self.pattern[0], among: order) == Self.pattern[step])
        }
    }

    @Test func `uses the default if no step of the RFC's range matches`() throws {
        let range = Self.pattern[0]
        #expect(try Self.match(range, among: ["en", "zh-Hans"]) == "uncovered")
        #expect(try Self.match(range, among: ["en", "zh-Hans", "*"]) == "own")
    }

    /// RFC 4647, section 3.4: content for `de-ch` has the tag `de` or `de-CH`, never `de-CH-1996`.
    @Test func `a more specific key never matches`() throws {
        #expect(try Self.match("de-ch", among: ["de-CH-1996", "de-CH", "de"]) == "de-CH")
        #expect(try Self.match("de-ch", among: ["de-CH-1996", "de"]) == "de")
        #expect(try Self.match("de-ch", among: ["de-CH-1996"]) == "uncovered")
        #expect(try Self.match("pt", among: ["pt-BR"]) == "uncovered")
    }

    @Test(
        arguments: [
            ("pt-BR", ["pt-BR", "pt"], "pt-BR"), ("pt-BR", ["pt"], "pt"),
            ("PT-br", ["pt-BR"], "pt-BR"),
            ("pt-br", ["PT"], "PT"), ("pt-PT", ["pt-BR"], "uncovered"),
            ("por", ["pt"], "uncovered"),
            // A singleton is removed with the subtag after it, even if several follow each other.
            ("en-US-u-islamcal", ["en-US"], "en-US"), ("de-x-a-b-c", ["de"], "de"),
            ("x-whatever", ["x-whatever"], "x-whatever"), ("x-a-b", ["x-a"], "uncovered"),
            ("i-klingon", ["en"], "uncovered"), ("i-klingon", ["I-KLINGON"], "I-KLINGON"),
            ("sgn-BE-FR", ["sgn"], "sgn"), ("de", [], "uncovered"), ("de", ["*"], "own"),
        ] as [(String, [String], String)]
    )
    func `finds the nearest key`(tag: String, keys: [String], expected: String) throws {
        #expect(try Self.match(tag, among: keys) == expected)
    }

    @Test func `only the asterisk covers a recipient without a locale`() throws {
        let pt = try #require(LocaleRange("pt"))
        #expect(LocaleLookup([pt]).match(for: nil) == .uncovered)
        #expect(LocaleLookup([pt, .others]).match(for: nil) == .own)
    }

    @Test func `a key is a well-formed tag or an asterisk`() throws {
        #expect(LocaleRange("*") == .others)
        #expect(LocaleRange("pt-BR")?.description == "pt-BR")
        #expect(LocaleRange.others.description == "*")
        for text in ["pt-*", "**", "", "pt_BR"] { #expect(LocaleRange(text) == nil) }
    }

    @Test func `a tag has at most 255 bytes`() throws {
        let tag = "de-x" + String(repeating: "-ab-1", count: 50) + "1"
        #expect(tag.utf8.count == 255)
        #expect(try Self.match(tag, among: ["de", "de-x-ab"]) == "de-x-ab")
        #expect(try Self.match(tag, among: ["de"]) == "de")
        #expect(Locale(tag + "2") == nil)
    }
}
