import CampaignModel
import Diagnostics
import RegistrationLists
import TestSupport
import Testing
import Text

struct TooManyTopicsTests {
    /// An audience's list and the numbers of its topics.
    private struct Members {
        let name: String
        let list: String
        let topics: Range<Int>
        var marked: Int?

        var document: String {
            let names = topics.map { $0 == marked ? "«t\($0)»" : "t\($0)" }
            return """
                audience: \(name)
                registrations: [\(list)]
                subscribe: [\(names.joined(separator: ", "))]

                """
        }
    }

    private static func files(_ audiences: Members...) -> LoadedFiles {
        let topics = (0..<2_100).map { "t\($0): {}" }.joined(separator: ", ")
        return LoadedFiles([
            ("herald.yaml", "version: 1\nproject: p\ntopics: { \(topics) }\n"),
            (
                "campaigns/a.yaml",
                audiences.map(\.document).joined(separator: "---\n")
            ),
        ])
    }

    private static func fingerprint(_ token: String) throws -> Fingerprint {
        let key = FingerprintKey(bytes: [UInt8](repeating: 7, count: 32))
        return Fingerprinter(key: key).fingerprint(of: try #require(Registration(token)))
    }

    @Test(.covers("A10-plan")) func `2,000 topics are allowed in one audience or in several`() {
        #expect(Self.files(Members(name: "a", list: "x:1", topics: 0..<2_000)).findings == [])
        #expect(
            Self.files(
                Members(name: "a", list: "x:1, x:2", topics: 0..<1_000),
                Members(name: "b", list: "x:2, x:1", topics: 1_000..<2_000)
            ).findings == []
        )
    }

    @Test(.covers("A10-plan")) func `the 2,001st topic of an audience is an error at the topic`()
        throws
    {
        let files = Self.files(
            Members(name: "a", list: "x:1, x:2", topics: 0..<2_002, marked: 2_000)
        )
        #expect(files.findings == files.expected(.tooManyTopics))
        let diagnostic = try #require(files.diagnostics.first)
        #expect(diagnostic.severity == .error)
        #expect(
            diagnostic.message == "registration \(try Self.fingerprint("x:1")) and 1 more would be "
                + "subscribed to more than 2000 topics"
        )
    }

    @Test func `topics of audiences add up for common registrations`() throws {
        let files = Self.files(
            Members(name: "a", list: "x:1, x:2", topics: 0..<1_500),
            Members(name: "b", list: "x:3", topics: 0..<600),
            Members(name: "c", list: "x:4, x:2", topics: 1_000..<2_001, marked: 2_000)
        )
        #expect(files.findings == files.expected(.tooManyTopics))
        let diagnostic = try #require(files.diagnostics.first)
        #expect(
            diagnostic.message == "registration \(try Self.fingerprint("x:2")) would be "
                + "subscribed to more than 2000 topics"
        )
        #expect(diagnostic.label == "topic 2001 of `a`, `c`")
    }

    @Test func `common topics of audiences count once`() {
        #expect(
            Self.files(
                Members(name: "a", list: "x:1", topics: 0..<2_000),
                Members(name: "b", list: "x:1", topics: 500..<2_000),
                Members(name: "c", list: "x:2", topics: 100..<2_100)
            ).findings == []
        )
    }

    @Test func `one audience above the limit is one finding regardless of others`() {
        let files = Self.files(
            Members(name: "a", list: "x:1, x:2, x:3", topics: 0..<2_001, marked: 2_000),
            Members(name: "b", list: "x:2", topics: 50..<60),
            Members(name: "c", list: "x:3, x:2", topics: 2_050..<2_060)
        )
        #expect(files.findings == files.expected(.tooManyTopics))
    }
}
