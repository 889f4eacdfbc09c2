import CampaignLoading
import Diagnostics
import Presentation
import TestSupport
import Testing

/// The credentials are composed at run time, so that no scanner reports this file as a leak.
@Suite(.covers("C90"))
struct CredentialInFileTests {
    private static func key(_ count: Int) -> String {
        "AIza" + String(repeating: "Sy-_4", count: 7).prefix(count)
            + String(repeating: "x", count: max(0, count - 35))
    }

    private static let serverKey = "AAAAabc_-12:APA91b" + String(repeating: "Hq", count: 67)
    private static let privateKey =
        "-----BEGIN " + "PRIVATE KEY-----\\nMIIEvQIBADAN\\n-----END " + "PRIVATE KEY-----"

    private static func files(_ text: String, audience: String = "topic: tides") -> LoadedFiles {
        LoadedFiles(
            campaign: """
                campaign: a
                audience: { \(audience) }
                message: { data: { key: "\(text)" } }
                """
        )
    }

    @Test(arguments: [
        ("«\(key(35))»", "an API key"), ("key=«\(key(35))».", "an API key"),
        ("«\(serverKey)»", "a server key"), ("«\(privateKey)»\\n", "a private key"),
        ("«\(privateKey.replacing("PRIVATE", with: "RSA PRIVATE"))»", "a private key"),
        ("«-----BEGIN " + "PRIVATE KEY-----\\nMIIEvQ»", "a private key"),
    ])
    func `a text in the form of a credential is an error that conceals it`(
        text: String,
        what: String
    ) throws {
        for audience in ["topic: tides", "registrations: [angler:1]"] {
            let files = Self.files(text, audience: audience)
            #expect(files.findings == files.expected(.credentialInFile))
            let diagnostic = try #require(files.diagnostics.first)
            #expect(diagnostic.severity == .error)
            #expect(diagnostic.message.hasSuffix(what))
            let page = DiagnosticTextView(catalog: files.loaded.catalog, style: .plain)
                .render(diagnostic)
            #expect(page.contains("****"))
            for secret in ["Sy-_4", "Hq", "MIIEvQ"] { #expect(!page.contains(secret)) }
        }
    }

    @Test(arguments: [
        key(34), key(36), "x" + key(35), "AIzaSy", "-----BEGIN " + "PUBLIC KEY-----\\nMIIEvQ",
        "-----BEGIN", "AAAA",
    ])
    func `a text that only resembles a credential is accepted`(text: String) {
        #expect(Self.files(text).findings == [])
    }

    @Test func `a key is found anywhere in a message`() {
        let files = LoadedFiles(
            campaign: """
                campaign: a
                audience: { topic: tides }
                message:
                  notification: { title: Tides, image: "https://maps.example/?key=«\(Self.key(35))»" }
                  android: { notification: { channel_id: «\(Self.key(35))» } }
                  webpush: { notification: { extra: { deep: [{ key: «\(Self.key(35))» }] } } }
                """
        )
        #expect(
            files.findings
                == files.expected(.credentialInFile, .credentialInFile, .credentialInFile)
        )
    }

    private static let many: [(String, String)] = [
        ("ya29." + String(repeating: "a0Af_H", count: 8), "an OAuth access token"),
        ("1//0" + String(repeating: "gX-y", count: 10), "an OAuth refresh token"),
        ("GOCSPX-" + String(repeating: "q7", count: 14), "an OAuth client secret"),
        ("ghp_" + String(repeating: "aB3d", count: 9), "a GitHub token"),
        ("github_pat_" + String(repeating: "aB3d", count: 20), "a GitHub token"),
        ("xoxb-" + String(repeating: "12345678-", count: 4) + "abc", "a Slack token"),
        ("AKIA" + "IOSFODNN7HARBOUR", "an AWS access key"),
        (key(35), "an API key"), (serverKey, "a server key"),
        // base64 of {"type":"service_account","project_id":"x"} and of the same with other spaces.
        ("eyJ0eXBlIjoic2VydmljZV9hY2NvdW50IiwicHJvamVjdF9pZCI6IngifQ==", "a private key"),
        ("eyJ0eXBlIjogInNlcnZpY2VfYWNjb3VudCIsICJwcm9qZWN0X2lkIjogIngifQ==", "a private key"),
        (
            "ewogICJ0eXBlIjogInNlcnZpY2VfYWNjb3VudCIsCiAgInByb2plY3RfaWQiOiAieCIKfQo=",
            "a private key"
        ),
    ]

    @Test(arguments: many)
    func `a credential is found in values, keys, comments and skipped content`(
        secret: String,
        what: String
    ) throws {
        let files = LoadedFiles([
            (
                "herald.yaml",
                """
                # the key: «\(secret)».
                version: 1
                project: harbour
                topics: { tides: { about: "see «\(secret)»" } }
                x-keys: [a, { b: «\(secret)» }]
                """
            ),
            (
                "campaigns/a.yaml",
                """
                campaign: a
                about: "«\(secret)» opens the map"
                audience: { topic: tides }
                message: { data: { a: "key=«\(secret)»", "«\(secret)»": b } } # «\(secret)»
                x-note:
                  «\(secret)»: 1
                """
            ),
        ])
        let found = files.findings.filter { $0.rule == .credentialInFile }
        #expect(found.map(\.place) == files.places)
        for finding in files.diagnostics where finding.rule == .credentialInFile {
            #expect(finding.severity == .error)
            #expect(finding.message.hasSuffix(what))
            let page = DiagnosticTextView(catalog: files.loaded.catalog, style: .plain)
                .render(finding)
            #expect(!page.contains(secret.dropFirst(8)))
        }
    }

    @Test func `a key file is found in any pasted form`() {
        let body = String(repeating: "MIIEvQIBADANBgkqhk", count: 3)
        let begin = "-----BEGIN " + "PRIVATE KEY-----"
        let end = "-----END " + "PRIVATE KEY-----"
        let files = LoadedFiles(
            campaign: """
                campaign: a
                about: '{"type": "service_account", "private_key": "«\(begin)\\n\(body)\\n\(end)»\\n"}'
                audience: { topic: tides }
                message: { notification: { title: Tides } }
                x-account: { type: service_account, private_key: «\(body)», private_key_id: a1b2 }
                x-key: |
                  «\(begin)
                  \(body)
                  \(end)»
                # «\(begin)
                # \(body)
                # \(end)»
                """
        )
        #expect(files.findings.filter { $0.rule != .platformLeftOut }.count == 4)
        #expect(files.findings.filter { $0.rule == .credentialInFile }.map(\.place) == files.places)
    }

    @Test func `a credential that escapes hide is found`() {
        let key = Self.key(35)
        let hidden = "\\x41" + key.dropFirst()
        let files = LoadedFiles(
            campaign: """
                campaign: a
                about: «"Map:\\n\(key)"»
                audience: { topic: tides }
                message: { data: { key: «"\(hidden)"», «"\(hidden)"»: b } }
                """
        )
        #expect(files.findings.allSatisfy { $0.rule == .credentialInFile })
        #expect(files.findings.map(\.place) == files.places)
        let shown = String(decoding: files.loaded.catalog[SourceID(index: 1)].bytes, as: UTF8.self)
        #expect(!shown.contains(key.dropFirst()))
    }

    @Test func `a credential in a file that is not YAML is found`() {
        let files = LoadedFiles([
            ("herald.yaml", "version: 1\nproject: p\n"),
            ("campaigns/a.yaml", "campaign: [ # «\(Self.key(35))»\n"),
        ])
        #expect(files.findings.contains { $0.rule == .yamlSyntax })
        #expect(files.findings.filter { $0.rule == .credentialInFile }.map(\.place) == files.places)
    }

    @Test func `a credential in defaults is reported there once for all campaigns`() {
        let campaign = "campaign: NAME\naudience: { registrations: [a] }\nmessage: {}\n"
        let files = LoadedFiles([
            (
                "herald.yaml",
                "version: 1\nproject: p\ndefaults: { message: { data: { k: «\(Self.key(35))» } } }\n"
            ),
            ("campaigns/a.yaml", campaign.replacing("NAME", with: "a")),
            ("campaigns/b.yaml", campaign.replacing("NAME", with: "b")),
        ])
        #expect(files.findings == files.expected(.credentialInFile))
    }

    @Test(arguments: [
        "credentials: «\(key(35))»", "credentials: \"«\(privateKey.replacing("\\n", with: " "))»\"",
        "credentials: «AIzaShort»", "credentials: «'{\"type\": \"service_account\"}'»",
    ])
    func `a credential in place of a reference is reported once`(line: String) {
        let files = LoadedFiles(project: Self.environment(line))
        #expect(files.findings == files.expected(.credentialInFile))
    }

    @Test(arguments: [
        "credentials: application-default", "credentials: env:FCM_KEY",
        "credentials: keys/production.json", "credentials: \"${FCM_KEY_FILE}\"",
        "sender_id: 1029384756",
    ])
    func `a reference is accepted`(line: String) {
        #expect(LoadedFiles(project: Self.environment(line)).findings == [])
    }

    private static func environment(_ line: String) -> String {
        """
        version: 1
        project: harbour
        environments:
          production: { fcm: { project_id: harbour-b5ae1, \(line) } }
        """
    }

    @Test(arguments: [
        "xoxb-short", "ghp_short", "AKIAshort", "AKIA" + "iosfodnn7harbour", "ya29.short", "1//0",
        "GOCSPX-", "private_key: env:KEY", "private_key: keys/production.json", "1//02",
        "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbmEifQ.c2lnbmF0dXJlMQ", "http://user:pass@127.0.0.1/",
        "the private_key of the account", "AIza", "Ghost", "xo", "prime", "gift", "yard",
    ])
    func `texts that only begin like a credential are accepted`(text: String) {
        let files = LoadedFiles(
            campaign: """
                campaign: a
                about: "\(text)"
                audience: { registrations: [a] }
                message: { notification: { title: Tides } }
                """
        )
        #expect(files.findings == [])
    }
}
