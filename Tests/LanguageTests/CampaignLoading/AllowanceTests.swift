import CampaignModel
import Diagnostics
import FCMWire
import JSON
import Testing

struct AllowanceTests {
    private static let negation = "\"'tides' in topics && !('azores' in topics)\""

    @Test(arguments: [
        // Above the first key: the whole document.
        "# herald: allow condition-negation, tested by hand\ncampaign: a\naudience:\n  condition: §",
        // Above an entry, with a comment between.
        "campaign: a\n# herald: allow condition-negation, tested\n# more\naudience:\n  condition: §",
        "campaign: a\naudience:\n  # herald: allow condition-negation, tested\n  condition: §",
        // Behind the entry.
        "campaign: a\naudience:\n  condition: § # herald: allow condition-negation, tested",
        "campaign: a\naudience: { condition: § } #herald: allow condition-negation, tested",
    ])
    func `an allow comment silences its rule where it stands`(text: String) {
        let files = LoadedFiles(
            campaign: text.replacing("§", with: Self.negation) + "\nmessage: {}\n"
        )
        #expect(files.findings == [])
    }

    @Test func `without the comment the finding is there`() {
        let files = LoadedFiles(
            campaign: """
                campaign: a
                audience: { condition: "'tides' in topics && «!»('azores' in topics)" }
                message: {}
                """
        )
        #expect(files.findings == files.expected(.conditionNegation))
        #expect(files.diagnostics.first?.severity == .warning)
    }

    @Test func `it is for one entry and one document, and not for what follows`() {
        let files = LoadedFiles(
            campaign: """
                # herald: allow condition-negation, the first only
                campaign: a
                audience: { condition: "'tides' in topics && !('azores' in topics)" }
                message: {}
                ---
                campaign: b
                audience: { condition: "'tides' in topics && «!»('azores' in topics)" }
                message: {}
                """
        )
        #expect(files.findings == files.expected(.conditionNegation))
    }

    @Test(arguments: [
        "campaign: a\naudience: { topic: tides }\n"
            + "«# herald: allow condition-negation, for nothing»\nmessage: {}\n",
        "campaign: a\naudience: { topic: tides }\nmessage: {}\n"
            + "«# herald: allow condition-negation, at the end»\n",
    ])
    func `one that has no effect is reported itself`(text: String) {
        let files = LoadedFiles(campaign: text)
        #expect(files.findings == files.expected(.unusedAllow))
        #expect(files.diagnostics.first?.severity == .warning)
    }

    @Test(arguments: [
        "# herald: allow condition-negation, tested\n"
            + "«# herald: allow condition-negation, tested»\ncampaign: a\naudience:\n",
        "# herald: allow condition-negation, tested\ncampaign: a\n"
            + "«# herald: allow condition-negation, again»\naudience:\n",
    ])
    func `one that silences only what an earlier one did is reported`(text: String) {
        let files = LoadedFiles(
            campaign: text + "  condition: \(Self.negation)\nmessage: {}\n"
        )
        #expect(files.findings == files.expected(.unusedAllow))
    }

    @Test func `behind a document's first key it is for that line alone`() {
        let files = LoadedFiles(
            campaign: """
                campaign: a «# herald: allow condition-negation, the name is no condition»
                audience: { condition: "'tides' in topics && «!»('azores' in topics)" }
                message: {}
                """
        )
        #expect(files.findings == files.expected(.unusedAllow, .conditionNegation))
    }

    @Test func `an error in the project file keeps rules from looking, so nothing is unused`() {
        let files = LoadedFiles([
            ("herald.yaml", LoadedFiles.smallProject + "\ndefaultz: {}\n"),
            (
                "campaigns/a.yaml",
                """
                campaign: a
                audience: { topic: tides }
                # herald: allow platform-left-out, meant so
                message: { apns: { payload: { aps: { alert: T } } } }
                """
            ),
        ])
        #expect(files.findings.map(\.rule) == [.unknownKey])
    }

    @Test func `it is not called unused where an error may have kept the rule from looking`() {
        let files = LoadedFiles(
            campaign: """
                # herald: allow condition-negation, tested
                campaign: a
                audience: { condition: "'tides' in topics && !('azores' in topics)" }
                mesage: {}
                """
        )
        #expect(files.findings.map(\.rule) == [.unknownKey])
    }

    @Test(arguments: [
        "«# herald: allow condition-negation»", "«# herald: allow condition-negation,»  ",
        "«# herald: allow»", "«# herald: alow condition-negation, typing»",
        "«# herald: allow two rules, at once»",
    ])
    func `a comment that is no allowance says how it is written`(comment: String) {
        let files = LoadedFiles(
            campaign: "\(comment)\ncampaign: a\naudience: { topic: tides }\nmessage: {}\n"
        )
        #expect(files.findings == files.expected(.allowSyntax))
    }

    @Test func `a rule that does not exist is an error with the nearest one`() {
        let files = LoadedFiles(
            campaign: """
                # herald: allow «condition-negatoin», mistyped
                campaign: a
                audience: { topic: tides }
                message: {}
                """
        )
        #expect(files.findings == files.expected(.unknownRule))
        #expect(files.diagnostics.first?.fix?.replacement == "condition-negation")
    }

    @Test(arguments: ["unknown-topic", "duplicate-key", "ttl-out-of-range"])
    func `what nobody may lift stays, and the comment is an error`(rule: String) {
        let files = LoadedFiles(
            campaign: """
                # herald: allow «\(rule)», I know better
                campaign: a
                audience: { topic: tides }
                message: {}
                """
        )
        #expect(files.findings == files.expected(.fixedRule))
    }

    @Test func `a mark inside of text is no comment`() {
        let files = LoadedFiles(
            campaign: """
                campaign: a
                audience: { topic: tides }
                message:
                  notification:
                    title: "# herald: allow nonsense"
                    body: |
                      # herald: allow nonsense
                """
        )
        #expect(files.findings == [])
    }
}

struct RuleSettingTests {
    private static func files(_ rules: String) -> LoadedFiles {
        LoadedFiles([
            ("herald.yaml", LoadedFiles.smallProject + "\nrules: \(rules)\n"),
            (
                "campaigns/a.yaml",
                """
                campaign: a
                audience: { condition: "'tides' in topics && !('azores' in topics)" }
                message: {}
                """
            ),
        ])
    }

    @Test(arguments: [
        ("{}", [Severity.warning]), ("{ condition-negation: off }", []),
        ("{ condition-negation: warn }", [.warning]), ("{ condition-negation: error }", [.error]),
    ])
    func `a project says how much a rule counts`(rules: String, severities: [Severity]) {
        #expect(Self.files(rules).diagnostics.map(\.severity) == severities)
    }

    @Test(arguments: ["off", "warn"])
    func `what protects people can't be turned down`(setting: String) {
        let files = LoadedFiles(
            project: "version: 1\nproject: h\nrules: { «unknown-topic»: \(setting) }\n"
        )
        #expect(files.findings == files.expected(.fixedRule))
    }

    @Test func `a rule that does not exist is an error`() {
        let files = LoadedFiles(
            project: "version: 1\nproject: h\nrules: { «condition-negatoin»: off }\n"
        )
        #expect(files.findings == files.expected(.unknownRule))
    }
}

struct EnvironmentVariableTests {
    private static func url(_ text: String, _ values: [String: String]) -> LoadedFiles {
        LoadedFiles(
            [
                (
                    "herald.yaml",
                    """
                    version: 1
                    project: harbour
                    environments:
                      bench: { emulator: { url: \(text) } }
                      other: { emulator: { url: "${NOT_SET_ANYWHERE}" } }
                    """
                )
            ],
            variables: ("bench", values)
        )
    }

    @Test func `a variable of the environment in use is looked up`() {
        let files = Self.url(
            "\"http://${HOST}:${PORT}\"",
            ["HOST": "127.0.0.1", "PORT": "9099"]
        )
        #expect(files.findings == [])
        #expect(files.project?.environments.map(\.id.rawValue) == ["local", "bench", "other"])
        #expect(
            files.project?.environments[1].endpoint
                == .emulator(url: "http://127.0.0.1:9099", authority: nil, credentials: nil)
        )
    }

    @Test func `one that is not set is an error at its place`() {
        let files = Self.url("\"http://127.0.0.1:«${PROT}»\"", ["PORT": "9099"])
        #expect(files.findings == files.expected(.environmentVariable))
        #expect(files.diagnostics.first?.help == ["did you mean `PORT`?"])
    }

    @Test func `a value that does not fit is reported as written, without the value`() {
        let files = Self.url("«\"${SECRET}\"»", ["SECRET": "postgres://u:hunter2@db"])
        #expect(files.findings == files.expected(.invalidURL))
        #expect(files.diagnostics.first?.message.contains("hunter2") == false)
        #expect(files.diagnostics.first?.message.contains("${SECRET}") == true)
    }

    @Test(arguments: ["project: «${NAME}»", "project: h\ntimezone: x«${ZONE}»y"])
    func `elsewhere than below environments it is an error`(line: String) {
        let files = LoadedFiles(project: "version: 1\n\(line)\n")
        #expect(files.findings.map(\.rule) == [.environmentVariable])
        #expect(files.findings.map(\.place) == files.places)
    }

    @Test(arguments: [
        ("project: \"${NAME}\"", "write the value"),
        ("project: h\ntimezone: \"${NAME}\"", "write the value"),
        (
            "project: h\ntopics: { tides: { about: \"${NAME}\" } }",
            "write `$${NAME}` for the literal text"
        ),
        (
            "project: h\ndefaults: { message: { notification: { title: \"${NAME}\" } } }",
            "write `$${NAME}` for the literal text"
        ),
        (
            "project: h\ndefaults: { owner: \"${NAME}\" }",
            "write `$${NAME}` for the literal text"
        ),
    ])
    func `two dollars are the advice only in free text`(line: String, help: String) {
        let files = LoadedFiles(project: "version: 1\n\(line)\n")
        let misplaced = files.diagnostics.filter { $0.rule == .environmentVariable }
        #expect(misplaced.map(\.help) == [[help]])
    }

    @Test func `two dollars write the characters themselves`() {
        let files = LoadedFiles([
            (
                "herald.yaml",
                LoadedFiles.smallProject
                    + "\ndefaults: { owner: \"$${NAME} $$ ${\" }\n"
                    .replacing(" ${", with: "")
            ),
            ("campaigns/a.yaml", "campaign: a\naudience: { topic: tides }\nmessage: {}\n"),
        ])
        #expect(files.findings == [])
        #expect(files.campaign?.owner == "${NAME} $$")
    }

    @Test func `what an author names for environments is looked up there`() {
        let files = LoadedFiles(
            [
                (
                    "herald.yaml",
                    """
                    version: 1
                    project: harbour
                    x-base: &base { emulator: { url: "${URL}" } }
                    environments:
                      bench: *base
                      other: { <<: *base }
                    """
                )
            ],
            variables: ("bench", ["URL": "http://127.0.0.1:9099"])
        )
        #expect(files.findings == [])
        #expect(
            files.project?.environments.map(\.endpoint) == [
                .embeddedEmulator,
                .emulator(url: "http://127.0.0.1:9099", authority: nil, credentials: nil),
                .unresolved,
            ]
        )
    }

    @Test func `in campaigns nothing is replaced`() {
        let files = LoadedFiles(
            campaign: """
                campaign: a
                audience: { topic: tides }
                message: { data: { text: "$GOOG up 1.43% ${HOME} $${X}" } }
                """
        )
        #expect(files.findings == [])
        let text = files.campaign?.content.value(at: ["data", "text"])
        #expect(text == "$GOOG up 1.43% ${HOME} $${X}")
    }
}
