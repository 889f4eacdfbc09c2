import CampaignModel
import JSON
import RegistrationLists
import Testing
import Time

@testable import Applying
@testable import RunControl

/// Tests which registrations FCM is asked to validate messages for.
struct MessageValidationTests {
    private let scene: PlanScene

    init() throws {
        scene = try PlanScene()
        try scene.write("registration\nfirst:1\nsecond:2\n", to: "list.csv")
    }

    private func list(_ kind: RegistrationFile.Kind) -> RegistrationList {
        .described(
            RegistrationFile(
                path: "list.csv",
                format: .csv,
                kind: kind,
                column: "registration",
                identity: nil,
                reading: .atApply
            )
        )
    }

    /// Returns the messages of the requests.
    private func messages(to list: RegistrationList) async throws -> [JSONValue] {
        let transport = ScriptedTransport()
        let validation = MessageValidation(
            of: scene.folder.path,
            settings: RunSettings(
                transport: transport,
                endpoint: .unused(),
                clock: .fixed(PlanScene.now),
                stop: StopSignal()
            )
        )
        let campaign = try scene.campaign(to: .registrations(list))
        let verdicts = try await validation.verdicts(on: [campaign])
        #expect(verdicts.isEmpty)
        #expect(transport.seen.allSatisfy { $0.body["validate_only"] == true })
        return transport.seen.compactMap { $0.body["message"] }
    }

    @Test(arguments: [RegistrationFile.Kind.token, .fid])
    func `the first registration represents a list, as the list names it`(
        kind: RegistrationFile.Kind
    ) async throws {
        let messages = try await messages(to: list(kind))
        #expect(messages.map { $0[kind.rawValue] } == ["first:1"])
        #expect(messages.first?[kind == .fid ? "token" : "fid"] == nil)
    }

    @Test func `the first row of a set represents it`() async throws {
        let first = RegistrationList.inline([try #require(Registration("first:1"))])
        let set = ListSet(
            of: [ListSet.Part(list: list(.token))],
            except: [ListSet.Part(list: first)]
        )
        let messages = try await messages(to: .set(set))
        #expect(messages.map { $0["token"] } == ["second:2"])
    }
}
