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
        // After the entry.
        "campaign: a\naudience:\n  condition: § # herald: allow condition-negation, tested",
        "campaign: a\naudience: { condition: § } #herald: allow condition-negation, tested",
    ])
    func `an allow comment silences its rule in its scope`(text: String) {
        let files = LoadedFiles(
            campaign: text.replacing("§", with: Self.negation) + "\nmessage: {}\n"
        )
        #expect(files.findings == [])
    }

    @Test func `the finding is reported without the comment`() {
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

    @Test func `an allowance covers one entry or one document and nothing after it`() {
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
    func `an unused allowance is reported`(text: String) {
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
    func `an allowance is unused if an earlier one already silences the finding`(text: String) {
        let files = LoadedFiles(
            campaign: text + "  condition: \(Self.negation)\nmessage: {}\n"
        )
        #expect(files.findings == files.expected(.unusedAllow))
    }

    @Test func `an allowance after a document's first key covers only that line`() {
        let files = LoadedFiles(
            campaign: """
                campaign: a «# herald: allow condition-negation, the name is no condition»
                audience: { condition: "'tides' in topics && «!»('azores' in topics)" }
                message: {}
                """
        )
        #expect(files.findings == files.expected(.unusedAllow, .conditionNegation))
    }

    @Test func `no allowance counts as unused if an error in the project file stops the rules`() {
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

    @Test func `an allowance does not count as unused if an error may have stopped its rule`() {
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
    func `a malformed allowance is reported with the correct form`(comment: String) {
        let files = LoadedFiles(
            campaign: "\(comment)\ncampaign: a\naudience: { topic: tides }\nmessage: {}\n"
        )
        #expect(files.findings == files.expected(.allowSyntax))
    }

    @Test func `an allowance for an unknown rule is an error with a suggestion`() {
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
    func `a fixed rule cannot be silenced and the comment is an error`(rule: String) {
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

    @Test func `a number sign in text is not a comment`() {
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
    func `a project sets the severity of a rule`(rules: String, severities: [Severity]) {
        #expect(Self.files(rules).diagnostics.map(\.severity) == severities)
    }

    @Test(arguments: ["off", "warn"])
    func `the severity of rules that protect people cannot be lowered`(setting: String) {
        let files = LoadedFiles(
            project: "version: 1\nproject: h\nrules: { «unknown-topic»: \(setting) }\n"
        )
        #expect(files.findings == files.expected(.fixedRule))
    }

    @Test func `an unknown rule in the project is an error`() {
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

    @Test func `a variable of the selected environment is resolved`() {
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

    @Test func `an unset variable is an error at its place`() {
        let files = Self.url("\"http://127.0.0.1:«${PROT}»\"", ["PORT": "9099"])
        #expect(files.findings == files.expected(.environmentVariable))
        #expect(files.diagnostics.first?.help == ["did you mean `PORT`?"])
    }

    @Test func `an invalid value is reported as written and never shown`() {
        let files = Self.url("«\"${SECRET}\"»", ["SECRET": "postgres://u:hunter2@db"])
        #expect(files.findings == files.expected(.invalidURL))
        #expect(files.diagnostics.first?.message.contains("hunter2") == false)
        #expect(files.diagnostics.first?.message.contains("${SECRET}") == true)
    }

    @Test(arguments: ["project: «${NAME}»", "project: h\ntimezone: x«${ZONE}»y"])
    func `a variable outside of environments is an error`(line: String) {
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
    func `the help suggests two dollar signs only in free text`(line: String, help: String) {
        let files = LoadedFiles(project: "version: 1\n\(line)\n")
        let misplaced = files.diagnostics.filter { $0.rule == .environmentVariable }
        #expect(misplaced.map(\.help) == [[help]])
    }

    @Test func `two dollar signs write a literal dollar and brace`() {
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

    @Test func `variables that an anchor inserts into an environment are resolved`() {
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

    @Test func `variables in campaigns are not replaced`() {
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
