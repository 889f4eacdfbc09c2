import CampaignModel
import Testing

struct PathPatternTests {
    private static func matches(_ pattern: String, _ name: String) throws -> Bool {
        switch try PathPattern(parsing: pattern).components.last {
        case .wildcard(let own)?: own.matches(name)
        case .name(let own)?: own == name
        case nil: false
        }
    }

    @Test(arguments: [
        ("*", "a"), ("*", "a.csv"), ("a*", "a"), ("*.csv", "b.csv"), ("*.csv", "a.b.csv"),
        ("a*b*c", "abc"), ("a*b*c", "axxbyybzc"), ("?", "a"), ("?", "潮"), ("a?c", "abc"),
        ("[ab]", "b"), ("[a-c]x", "bx"), ("[!a]", "b"), ("[^a-c]", "d"), ("[]]", "]"),
        ("[]a]", "a"), ("[!]]", "a"), ("[a-]", "-"), ("[-a]", "-"), ("[*]", "*"), ("[\\]]", "]"),
        ("\\**", "*a"), ("a\\[*", "a[1"), (".*", ".a"), ("x/*", "a"), ("*é", "é"),
    ])
    func `matches names`(pattern: String, name: String) throws {
        #expect(try Self.matches(pattern, name))
    }

    @Test(arguments: [
        ("*.csv", "b.txt"), ("*.csv", "b.csv.gz"), ("a*", "ba"), ("a*b*c", "axxbyy"), ("?", "ab"),
        ("?", "🇵🇹"), ("[ab]", "c"), ("[!a]", "a"), ("*", ".a"), ("?a", ".a"), ("[.]a", ".a"),
        ("\\*", "a"), ("A*", "a"), ("*é", "e\u{301}"),
    ])
    func `does not match other names`(pattern: String, name: String) throws {
        #expect(try !Self.matches(pattern, name))
    }

    @Test(arguments: [
        ("a.csv", "a.csv"), ("/a/b", "/a/b"), ("../a", "../a"), ("a\\*b", "a*b"), ("", ""),
        ("a\\\\b", "a\\b"), ("a]b", "a]b"), ("a//b", "a//b"), ("\\a", "a"),
    ])
    func `a path without wildcards names a file`(text: String, path: String) throws {
        #expect(try PathPattern(parsing: text).literal == path)
    }

    @Test(arguments: ["*", "a/?", "a[1]/b", "/*/a"])
    func `a pattern names no file itself`(text: String) throws {
        #expect(try PathPattern(parsing: text).literal == nil)
    }

    @Test(arguments: ["a", "a*b", "?", "[x]", "\\", "a/[b", "]", "**", "é\\*"])
    func `an escaped path names that file`(path: String) throws {
        #expect(try PathPattern(parsing: PathPattern.escaping(path)).literal == path)
    }

    @Test(arguments: [
        ("**", PathPattern.Failure.doubleStar), ("a/**/b", .doubleStar), ("a**", .doubleStar),
        ("[a", .unclosedBracket), ("[]", .unclosedBracket), ("[!]", .unclosedBracket),
        ("[a/b]", .unclosedBracket), ("[b-a]", .emptyRange), ("a\\", .trailingBackslash),
        ("a\\/b", .trailingBackslash), ("[\\", .trailingBackslash), ("[a-\\", .trailingBackslash),
    ])
    func `refuses malformed patterns`(text: String, failure: PathPattern.Failure) {
        #expect(throws: failure) { try PathPattern(parsing: text) }
    }

    @Test func `a name that almost matches many times takes little time`() throws {
        let name = String(repeating: "a", count: 255)
        let pattern = String(repeating: "a*", count: 100) + "b"
        #expect(try !Self.matches(pattern, name))
    }
}
