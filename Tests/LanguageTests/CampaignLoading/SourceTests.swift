import CampaignLoading
import CampaignModel
import Diagnostics
import RegistrationLists
import TestSupport
import Testing

/// The programs and queries of `sources`, and the lists that name them.
struct SourceTests {
    private static func project(_ sources: String) -> String {
        """
        version: 1
        project: harbour
        topics: { tides: {} }
        sources:
        \(sources)
        """
    }

    private static let sources = """
          vips:
            command: [./export, "a b", 7]
            environment: [TOKEN]
            format: ndjson
            timeout: 2m
            max_drift: 2.5%
          lapsed: { postgres: "${LISTS_URL}", query: "SELECT '$${x}' AS registration" }
          crew: { command: [crew], format: text }
        """

    private static func load(_ campaigns: String, sources: String = Self.sources) -> LoadedFiles {
        LoadedFiles([("herald.yaml", project(sources)), ("campaigns/a.yaml", campaigns)])
    }

    private static func id(_ name: String) throws -> ListSourceID {
        try #require(ListSourceID(name))
    }

    @Test func `a source is a program or a query, with limits`() throws {
        let files = Self.load("")
        #expect(files.errors == [])
        let found = try #require(files.project?.sources)
        #expect(
            found[try Self.id("vips")]
                == ListSource(
                    id: try Self.id("vips"),
                    origin: .command(
                        SourceCommand(arguments: ["./export", "a b", "7"], variables: ["TOKEN"])
                    ),
                    format: .ndjson,
                    timeout: 120,
                    maximumDrift: try #require(Percentage("2.5%"))
                )
        )
        #expect(
            found[try Self.id("crew")]
                == ListSource(
                    id: try Self.id("crew"),
                    origin: .command(SourceCommand(arguments: ["crew"])),
                    format: .text,
                    timeout: 60,
                    maximumDrift: .none
                )
        )
        guard case .query(let query)? = found[try Self.id("lapsed")]?.origin else {
            Issue.record("no query")
            return
        }
        #expect(query.variable == "LISTS_URL")
        #expect(query.text == "SELECT '${x}' AS registration")
        #expect(found[try Self.id("lapsed")]?.format == .csv)
    }

    @Test func `a list has the format of its source and its own columns`() throws {
        let files = Self.load(
            """
            audience: vips
            registrations: { source: vips, kind: fid, column: fid, identity: user }
            ---
            campaign: call
            audience: { registrations: { source: lapsed } }
            message: { data: { a: b } }
            ---
            campaign: muster
            audience: { registrations: { source: crew } }
            message: { data: { a: b } }
            """
        )
        #expect(files.errors == [])
        let lists = try #require(files.project?.lists)
        #expect(lists.map(\.path) == ["source vips", "source lapsed", "source crew"])
        #expect(lists.map(\.source?.rawValue) == ["vips", "lapsed", "crew"])
        #expect(lists.map(\.format) == [.ndjson, .csv, .text])
        #expect(lists.map(\.onlyFile) == [nil, nil, nil])
        #expect(lists.map(\.kind) == [.fid, .token, .token])
        guard case .described(let file)? = lists.first else { return }
        #expect(file.column == "fid" && file.identity == "user")
    }

    @Test func `an unknown source is an error with a suggestion`() {
        let files = Self.load(
            """
            audience: vips
            registrations: { source: «vip» }
            ---
            campaign: call
            audience: { registrations: { source: «nowhere» } }
            message: { data: { a: b } }
            """
        )
        #expect(files.errors == files.expected(.unknownValue, .unknownValue))
        let errors = files.diagnostics.filter { $0.severity == .error }
        #expect(errors.first?.message == "there is no source `vip`")
        #expect(errors.last?.message == "there is no source `nowhere`")
        #expect(errors.first?.fix?.replacement == "vips")
        #expect(errors.last?.help == ["declare it in herald.yaml: `sources: { nowhere: … }`"])
    }

    @Test func `a source that cannot be read is not reported again where it is used`() {
        let files = LoadedFiles([
            ("herald.yaml", Self.project("  vips: { command: [a], format: «xml» }")),
            ("campaigns/a.yaml", "audience: vips\nregistrations: { source: vips }\n"),
        ])
        #expect(files.errors == files.expected(.unknownValue))
    }

    @Test func `a source that writes text has no columns`() {
        let files = Self.load(
            "audience: crew\nregistrations: { source: crew, identity: «user» }\n"
        )
        #expect(files.errors == files.expected(.conflictingKeys))
    }

    @Test func `a list is in a file or from a source`() {
        let files = Self.load(
            """
            audience: a
            registrations: { file: a.txt, «source»: vips }
            ---
            audience: b
            registrations: { «kind»: token }
            """
        )
        #expect(
            files.errors.filter { $0.rule != .unreadableFile }
                == files.expected(.conflictingKeys, .missingKey)
        )
    }

    @Test(arguments: [
        ("  a: { «format»: csv }", RuleID.missingKey),
        ("  a: { command: [x], format: csv, «postgres»: \"${A}\", query: q }", .conflictingKeys),
        ("  a: { «command»: [x] }", .missingKey),
        ("  a: { «postgres»: \"${A}\" }", .missingKey),
        ("  a: { postgres: \"${A}\", query: q, «format»: csv }", .missingKey),
        ("  a: { postgres: \"${A}\", query: q, «environment»: [A] }", .missingKey),
        ("  a: { postgres: «postgresql://u:hidden@db/h», query: q }", .environmentVariable),
        ("  a: { postgres: \"${A}\", query: \"«${B}»\" }", .environmentVariable),
        ("  a: { command: [\"«${B}»\"], format: csv }", .environmentVariable),
    ])
    func `a mistake in a source is one finding`(source: String, rule: RuleID) {
        let files = LoadedFiles(project: Self.project(source))
        let own = files.diagnostics.filter { $0.severity == .error && $0.rule != .credentialInFile }
        #expect(own.map { Finding($0, files.loaded.catalog) } == files.expected(rule))
        #expect(own.allSatisfy { !"\($0.message) \($0.help)".contains("hidden") })
    }

    @Test func `the value of a connection string is never inserted`() throws {
        let files = LoadedFiles(
            [("herald.yaml", Self.project(Self.sources))],
            variables: ("local", ["LISTS_URL": "postgresql://u:hidden@db/h"])
        )
        #expect(files.errors == [])
        #expect(files.loaded.insertedVariables.isEmpty)
        guard case .query(let query)? = files.project?.sources[try Self.id("lapsed")]?.origin else {
            Issue.record("no query")
            return
        }
        #expect(query.variable == "LISTS_URL")
    }

    @Test func `a source that was not read is noted once`() {
        let files = Self.load(
            """
            audience: vips
            registrations: «{ source: vips }»
            ---
            campaign: call
            audience: { registrations: { source: vips, column: token } }
            message: { notification: { title: Hello, body: Horta. } }
            """
        )
        let notes = files.diagnostics.filter { $0.rule == .unreadableFile }
        #expect(notes.map { Finding($0, files.loaded.catalog) } == files.expected(.unreadableFile))
        #expect(notes.map(\.severity) == [.note])
        #expect(
            notes.first?.message == "the source `vips` was not read, so its lists are not checked"
        )
    }

    @Test func `an environment can replace the list of a source by a file`() throws {
        let project =
            Self.project(Self.sources)
            + "\nenvironments: { staging: { emulator: {}, lists: { vips: lists/test.csv } } }"
        let audience = "audience: vips\nregistrations: { source: vips, column: c }\n"
        let files = LoadedFiles(
            [("herald.yaml", project), ("campaigns/a.yaml", audience)],
            variables: ("staging", [:])
        )
        let list = try #require(files.project?.lists.first)
        #expect(list.source == nil && list.path == "lists/test.csv")
    }
}
