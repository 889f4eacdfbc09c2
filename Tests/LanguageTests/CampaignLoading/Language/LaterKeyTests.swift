import CampaignLoading
import CampaignModel
import Diagnostics
import RegistrationLists
import Testing
import Text

struct LaterKeyTests {
    @Test func `the preview form of Android messages is reported`() {
        let files = LoadedFiles(
            campaign: """
                campaign: a
                audience: { topic: tides }
                message: { «android_v2»: { background_sync: {} } }
                """
        )
        #expect(files.findings.filter { $0.rule != .platformLeftOut } == [])
        #expect(files.laterKeys == files.expected(.notBuiltYet))
    }

    @Test func `plan refuses unimplemented keys of the selected environment only`() throws {
        let files = LoadedFiles(
            project: """
                version: 1
                project: harbour
                environments:
                  staging: { emulator: {}, defaults: { message: { android_v2: { background_sync: {} } } } }
                  production: { fcm: { project_id: harbour-b5ae1 } }
                """
        )
        let staging = try #require(EnvironmentID("staging"))
        let local = try #require(EnvironmentID("local"))
        #expect(!files.loaded.log.hasErrors)
        #expect(files.loaded.refusingUnbuilt(for: staging).log.count == 1)
        #expect(files.loaded.refusingUnbuilt(for: staging).log.hasErrors)
        #expect(files.loaded.refusingUnbuilt(for: local).log.isEmpty)
    }

    @Test(arguments: [
        """
        production: &p { emulator: {}, defaults: { message: { «android_v2»: { background_sync: {} } } } }
          local: *p
        """,
        """
        production: &p { emulator: {}, defaults: { message: { «android_v2»: { background_sync: {} } } } }
          local: { <<: *p }
        """,
    ])
    func `plan refuses unimplemented keys that an alias inserts`(text: String) throws {
        let files = LoadedFiles(
            project: "version: 1\nproject: h\nenvironments:\n  \(text)\n  other: { emulator: {} }\n"
        )
        #expect(files.laterKeys == files.expected(.notBuiltYet))
        for (name, isRefused) in [("local", true), ("production", true), ("other", false)] {
            let environment = try #require(EnvironmentID(name))
            #expect(files.loaded.refusingUnbuilt(for: environment).log.hasErrors == isRefused)
        }
    }

    @Test func `every guard is supported`() {
        let files = LoadedFiles(
            project: """
                version: 1
                project: harbour
                environments:
                  staging:
                    emulator: {}
                    protected: true
                    guard:
                      max_recipients: 50000
                      max_change: 30%
                      max_sends_per_run: 1000000
                      require_reviewed_plan: true
                      allow_test: true
                      quiet_hours: { from: "22:00", to: "07:00" }
                      per_recipient: { day: 3, week: 10 }
                      approvals: { need: 2, signers: approvers/allowed_signers }
                """
        )
        #expect(files.findings == [])
        #expect(files.laterKeys == [])
    }

    @Test func `a campaign's key is refused in every environment, even from defaults`() throws {
        let files = LoadedFiles([
            (
                "herald.yaml",
                LoadedFiles.smallProject
                    + "\ndefaults: { message: { «android_v2»: { background_sync: {} } } }\n"
            ),
            (
                "campaigns/a.yaml",
                """
                campaign: a
                audience: { topic: tides }
                message: {}
                ---
                campaign: b
                audience: { topic: tides }
                message: {}
                """
            ),
        ])
        let local = try #require(EnvironmentID("local"))
        #expect(files.laterKeys.map(\.place) == files.places)
        let refused = files.loaded.refusingUnbuilt(for: local)
        #expect(refused.log.count == 1)
        #expect(refused.log.hasErrors)
    }
}
