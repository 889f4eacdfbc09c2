import CampaignLoading
import CampaignModel
import Diagnostics
import RegistrationLists
import TestSupport
import Testing

/// The lists, defaults and campaigns of single environments.
struct EnvironmentContentTests {
    private static let project = """
        version: 1
        project: harbour
        topics: { tides: {} }
        defaults:
          owner: duty@harbour.example
          delivery: { ttl: 4h, priority: high }
        environments:
          staging:
            emulator: {}
            lists: { anglers: lists/testers.txt, pilots: lists/pilots.csv }
            except: [regatta]
            defaults:
              delivery: { ttl: 1h, priority: ~ }
              labels: { desk: staging }
          production:
            emulator: {}
            only: { labels: { stage: ready } }
        """

    private static let documents = """
        audience: anglers
        registrations: lists/anglers.txt
        ---
        audience: pilots
        registrations: { file: lists/all.csv, column: token, identity: pilot }
        ---
        campaign: alert
        labels: { stage: ready }
        audience: anglers
        message: { data: { kind: alert } }
        ---
        campaign: idea
        audience: pilots
        message: { data: { kind: idea } }
        delivery: { ttl: 2h }
        ---
        campaign: regatta
        labels: { stage: ready, desk: club }
        audience: anglers
        message: { data: { kind: regatta } }
        ---
        campaign: probe
        environments: [staging, local]
        labels: { stage: ready }
        audience: { topic: tides }
        message: { data: { kind: probe } }
        """

    private func load(
        _ project: String = EnvironmentContentTests.project,
        _ documents: String = EnvironmentContentTests.documents,
        in environment: String? = nil
    ) -> LoadedFiles {
        LoadedFiles(
            [("herald.yaml", project), ("campaigns/a.yaml", documents)],
            variables: environment.map { ($0, [:]) }
        )
    }

    /// The errors, except about lists that do not exist.
    private func findings(_ files: LoadedFiles) -> [Finding] {
        files.errors.filter { $0.rule != .unreadableFile }
    }

    private func campaign(_ name: String, of files: LoadedFiles) throws -> Campaign {
        try #require(files.project?.campaigns.first { $0.id.rawValue == name })
    }

    // MARK: - Campaigns

    @Test(
        arguments: [
            (nil, ["alert", "idea", "regatta", "probe"]),
            ("local", ["alert", "idea", "regatta", "probe"]),
            ("staging", ["alert", "idea", "probe"]), ("production", ["alert", "regatta"]),
        ] as [(String?, [String])]
    )
    func `an environment has only its own campaigns`(
        environment: String?,
        names: [String]
    ) throws {
        let files = load(in: environment)
        #expect(files.project?.campaigns.map(\.id.rawValue) == names)
        let all = ["alert", "idea", "regatta", "probe"]
        let elsewhere = environment == nil ? [] : all.filter { !names.contains($0) }
        #expect(files.project?.elsewhere.map(\.rawValue) == elsewhere)
        #expect(files.project?.audiences.map(\.id.rawValue) == ["anglers", "pilots"])
    }

    @Test(
        arguments: [
            ("only: [alert]", ["alert"]), ("only: { names: [idea, probe] }", ["idea", "probe"]),
            ("only: { names: [] }", []), ("only: { labels: {} }", []),
            ("only: { labels: { stage: ready, desk: club } }", ["regatta"]),
            ("except: { labels: { stage: ready } }", ["idea"]),
            ("except: { labels: {} }", ["alert", "idea", "regatta", "probe"]),
            ("only: { labels: { stage: ready } }, except: [alert]", ["regatta", "probe"]),
            (
                "defaults: { labels: { stage: ready } }, only: { labels: { stage: ready } }",
                ["alert", "idea", "regatta", "probe"]
            ),
        ] as [(String, [String])]
    )
    func `only and except select by name, or by all of the labels`(
        keys: String,
        names: [String]
    ) {
        let project = """
            version: 1
            project: harbour
            topics: { tides: {} }
            environments: { staging: { emulator: {} }, local: { emulator: {}, \(keys) } }
            """
        let files = load(project, in: "local")
        #expect(files.project?.campaigns.map(\.id.rawValue) == names)
        #expect(findings(files) == [])
    }

    @Test func `a later key of a campaign that is elsewhere is not refused`() throws {
        let files = load(
            Self.project,
            Self.documents.replacing(
                "audience: anglers\nmessage: { data: { kind: regatta } }",
                with: """
                    audience: anglers
                    message: { data: { kind: regatta }, android_v2: { background_sync: {} } }
                    """
            ),
            in: "staging"
        )
        let staging = try #require(EnvironmentID("staging"))
        let production = try #require(EnvironmentID("production"))
        let refused = files.loaded.refusingUnbuilt(for: staging).log.errors.map(\.message)
        #expect(!refused.contains { $0.contains("android_v2") })
        let other = load(
            Self.project,
            Self.documents.replacing(
                "audience: anglers\nmessage: { data: { kind: regatta } }",
                with: """
                    audience: anglers
                    message: { data: { kind: regatta }, android_v2: { background_sync: {} } }
                    """
            ),
            in: "production"
        )
        let messages = other.loaded.refusingUnbuilt(for: production).log.errors.map(\.message)
        #expect(messages.contains { $0.contains("android_v2") })
    }

    // MARK: - Defaults

    @Test func `defaults of an environment are merged over the project's`() throws {
        let staging = load(in: "staging")
        let production = load(in: "production")
        let alert = try campaign("alert", of: staging)
        #expect(alert.delivery.timeToLive == TimeToLive(seconds: 3_600))
        #expect(alert.delivery.priority == nil, "a null removes the project's default")
        #expect(alert.owner == "duty@harbour.example")
        #expect(alert.labels == ["stage": "ready", "desk": "staging"])
        let idea = try campaign("idea", of: staging)
        #expect(idea.delivery.timeToLive == TimeToLive(seconds: 7_200), "the campaign's value wins")
        let other = try campaign("alert", of: production)
        #expect(other.delivery.timeToLive == TimeToLive(seconds: 14_400))
        #expect(other.delivery.priority == .high)
        #expect(findings(staging) == [] && findings(production) == [])
    }

    @Test func `a null without a default, a wrong key and a variable are findings`() {
        let files = load(
            """
            version: 1
            project: harbour
            topics: { tides: {} }
            environments:
              local:
                emulator: {}
                defaults: { owner: «~», «schedule»: {}, labels: { desk: "«${DESK}»" } }
            """,
            "campaign: a\naudience: { topic: tides }\nmessage: {}\n"
        )
        #expect(files.errors == files.expected(.wrongKind, .unknownKey, .environmentVariable))
    }

    @Test func `the origin of a value is the block of defaults that contains it`() throws {
        let files = load(in: "staging")
        let places = DefaultsPlaces(files.loaded.declarations)
        let documents = files.loaded.declarations.campaigns
        let alert = try #require(documents.first?.value)
        let ttl = try #require(alert.delivery?.value.timeToLive?.span)
        #expect(places.key(of: ttl) == "environments.staging.defaults")
        let owner = try #require(alert.owner?.span)
        #expect(places.key(of: owner) == "defaults")
        let name = try #require(alert.campaign?.span)
        #expect(places.key(of: name) == nil)
    }

    // MARK: - Lists

    @Test func `an environment's list replaces the file and keeps the columns`() throws {
        let files = load(in: "staging")
        let alert = try campaign("alert", of: files)
        #expect(alert.target == .registrations(.file(path: "lists/testers.txt")))
        guard case .registrations(.described(let file)) = try campaign("idea", of: files).target
        else {
            Issue.record("the list has lost its columns")
            return
        }
        #expect(file.path == "lists/pilots.csv" && file.format == .csv)
        #expect(file.column == "token" && file.identity == "pilot")
        #expect(files.project?.lists.compactMap(\.path).contains("lists/anglers.txt") == false)
        let other = try campaign("alert", of: load(in: "production"))
        #expect(other.target == .registrations(.file(path: "lists/anglers.txt")))
    }

    @Test(arguments: [nil, "staging", "production"])
    func `an audience without a list is an error in an environment with lists`(
        environment: String?
    ) {
        let files = load(
            """
            version: 1
            project: harbour
            environments:
              ‹staging›: { emulator: {}, lists: { anglers: lists/testers.txt } }
              production: { emulator: {} }
            """,
            """
            audience: anglers
            registrations: lists/anglers.txt
            ---
            audience: «guests»
            registrations: lists/guests.txt
            test: true
            ---
            campaign: a
            audience: guests
            message: {}
            """,
            in: environment
        )
        let isReported = environment != "production"
        #expect(findings(files) == (isReported ? files.expected(.environmentList) : []))
        #expect(files.secondPlaces == (isReported ? files.expectedSecondPlaces : []))
        if environment == "staging" {
            #expect(files.project?.audiences.map(\.id.rawValue) == ["anglers"])
        }
    }

    @Test func `a campaign's own list is an error in an environment with lists`() {
        let documents = """
            campaign: a
            audience: { registrations: «lists/a.txt» }
            message: {}
            ---
            campaign: b
            environments: [production]
            audience: { registrations: lists/b.txt }
            message: {}
            """
        let project = """
            version: 1
            project: harbour
            environments:
              staging: { emulator: {}, lists: {} }
              production: { emulator: {} }
            """
        let staging = load(project, documents, in: "staging")
        #expect(findings(staging) == staging.expected(.environmentList))
        #expect(findings(load(project, documents, in: "production")) == [])
    }

    @Test func `names that do not exist are findings`() {
        let files = load(
            """
            version: 1
            project: harbour
            topics: { tides: {} }
            environments:
              staging:
                emulator: {}
                lists: { anglers: lists/testers.txt, «pilot»: lists/pilots.txt }
                only: [alert, «alrt»]
                except: { names: [«other»] }
            """,
            """
            audience: anglers
            registrations: lists/anglers.txt
            ---
            campaign: alert
            environments: [staging, local, «stagin»]
            audience: anglers
            message: {}
            """
        )
        #expect(
            files.errors.filter { $0.rule != .unreadableFile }
                == files.expected(
                    .unknownValue,
                    .unknownAudience,
                    .unknownValue,
                    .unknownValue
                )
        )
        let fixes = files.diagnostics.filter { $0.rule == .unknownValue }.map {
            $0.fix?.replacement
        }
        #expect(fixes == ["staging", "alert", nil])
    }

    @Test func `registrations of testers are allowed where another list replaces them`() {
        let files = load(
            """
            version: 1
            project: harbour
            environments:
              production:
                fcm: { project_id: harbour-b5ae1 }
                lists: { team: lists/team.txt }
            """,
            """
            audience: team
            registrations: ["ana-pixel:APA91b-harbour-000000000000000000000000000000000000000000001"]
            test: true
            """,
            in: "production"
        )
        #expect(findings(files) == [])
    }

    @Test func `an allowance that another environment needs is not called unused`() {
        let documents = """
            # herald: allow condition-negation, only production has it
            campaign: a
            environments: [production]
            audience: { topic: tides }
            message: {}
            """
        let project = """
            version: 1
            project: harbour
            topics: { tides: {} }
            environments: { staging: { emulator: {} }, production: { emulator: {} } }
            """
        for (environment, isReported) in [("staging", false), ("production", true)] {
            let rules = load(project, documents, in: environment).diagnostics.map(\.rule)
            #expect(rules.contains(.unusedAllow) == isReported)
        }
    }
}
