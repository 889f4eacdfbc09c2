import CampaignLoading
import Diagnostics
import Presentation
import TestSupport
import Testing

@Suite(.covers("C86", "C86-inline"))
struct RegistrationInFileTests {
    private static let real = "production: { fcm: { project_id: harbour-b5ae1 } }"
    private static let token = "bk3RNwTe3H0:APA91bFoSo_h-7"

    private static func files(
        _ campaigns: String,
        environments: String = real,
        project: String = ""
    ) -> LoadedFiles {
        LoadedFiles([
            (
                "herald.yaml",
                """
                version: 1
                project: harbour
                topics: { tides: {} }
                environments: { \(environments) }
                \(project)
                """
            ),
            ("campaigns/a.yaml", campaigns),
        ])
    }

    private static func campaign(_ audience: String, _ more: String = "") -> String {
        """
        campaign: a
        audience: \(audience)
        message: { notification: { title: Tides, body: Best angling from noon. } }
        delivery: { ttl: 4h }
        \(more)
        """
    }

    @Test func `an inline list is an error if devices are real`() throws {
        let files = Self.files(
            """
            \(Self.campaign("{ registrations: «[angler:1, \"\(Self.token)\"]» }"))
            ---
            audience: guests
            registrations: «["\(Self.token)"]»
            ---
            audience: others
            registrations:
              «- angler:1
              - \(Self.token)»
            test: false
            """
        )
        #expect(
            files.findings
                == files.expected(.registrationInFile, .registrationInFile, .registrationInFile)
        )
        let finding = try #require(files.diagnostics.first)
        #expect(finding.severity == .error)
        #expect(finding.message.contains("`production`"))
        let page = DiagnosticTextView(catalog: files.loaded.catalog, style: .plain)
            .render(finding)
        #expect(!page.contains("FoSo"))
    }

    @Test func `test audiences and emulator devices may be inline`() {
        let files = Self.files(
            """
            audience: crew
            registrations: ["\(Self.token)", crew:2]
            test: true
            ---
            devices: pier
            phones:
              - { name: ana, platform: android, registration: "\(Self.token)" }
            ---
            \(Self.campaign("{ registrations: /dev/null }"))
            ---
            \(Self.campaign("crew").replacing("campaign: a", with: "campaign: b"))
            """
        )
        #expect(files.errors.filter { $0.rule == .registrationInFile } == [])
    }

    @Test func `a text in the form of a registration is found anywhere`() {
        let files = Self.files(
            """
            # Ana has «\(Self.token)»
            \(Self.campaign("{ topic: tides }", "about: for «\(Self.token)»"))
            x-list: [a, «\(Self.token)»]
            labels: { ana: "«\(Self.token)»" }
            """,
            project: "x-ana: «\(Self.token)»"
        )
        let found = files.findings.filter { $0.rule == .registrationInFile }
        #expect(found.map(\.place) == files.places)
        #expect(files.errors.count == files.places.count)
    }

    @Test func `a registration in a message to a topic is one finding`() {
        let files = Self.files(
            """
            campaign: a
            audience: { topic: tides }
            message: { data: { peer: «\(Self.token)» } }
            delivery: { ttl: 4h }
            """
        )
        #expect(files.findings == files.expected(.registrationInFile))
    }

    @Test(arguments: [
        "local: { emulator: {} }", "bench: { emulator: { url: \"http://127.0.0.1:9099\" } }",
        "bench: { emulator: { url: \"${BENCH}\" } }",
    ])
    func `emulator projects accept any registration`(environments: String) {
        let files = Self.files(
            "# \(Self.token)\n" + Self.campaign("{ registrations: [angler:1, \"\(Self.token)\"] }"),
            environments: environments
        )
        #expect(files.findings == [])
    }

    @Test(arguments: [
        "audience: crew\nregistrations: [\"\(token)\"]\n«tset»: true\n",
        "audience: crew\n«registratons»: [\"\(token)\"]\ntest: true\n",
        "audience: crew\nregistrations: «\(token)»\ntest: true\n",
    ])
    func `a possibly misspelled key causes no other finding`(text: String) {
        let files = Self.files(text)
        #expect(files.errors.map(\.rule).contains(.registrationInFile) == false)
        #expect(files.errors.map(\.place) == files.places)
    }

    @Test func `neither a comment nor the project can lower its severity`() {
        let files = Self.files(
            Self.campaign("{ registrations: [angler:1] }"),
            project: "rules: { «registration-in-file»: off }"
        )
        #expect(files.findings == files.expected(.fixedRule))
    }
}
