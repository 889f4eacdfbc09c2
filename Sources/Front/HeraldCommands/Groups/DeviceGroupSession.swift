import CampaignModel
import Memberships
import Planning
import Presentation
import RegistrationLists
import RunControl
import State
import StoreTables

/// The project, state and server of a device group command.
struct DeviceGroupSession {
    let state: EnvironmentState
    let project: Project
    let store: any TableStore
    let fingerprinter: Fingerprinter
    private let allowsAnyServer: Bool

    /// `makesState`: whether to create a missing state.
    ///
    /// Otherwise a missing state is an error.
    init(
        options: ProjectOptions,
        environment: EnvironmentOptions,
        server: EndpointOptions,
        makesState: Bool
    ) async throws(CommandFailure) {
        let session = try Session(options)
        allowsAnyServer = server.allowsAnyServer
        project = try session.project(in: environment).0
        state = try EnvironmentState(in: session, chosen: environment)
        store = try await makesState ? state.open() : state.openOrFail()
        let key = try await mapStateErrors { [store] () async throws(StateStoreError) in
            try await store.identity().fingerprintKey
        }
        fingerprinter = Fingerprinter(key: key)
    }

    func record(
        of name: DeviceGroupName
    ) async throws(CommandFailure) -> DeviceGroupRecord? {
        try await mapStateErrors { () async throws(StateStoreError) in
            try await store.deviceGroups().first { $0.name == name }
        }
    }

    /// Refuses another FCM project, because its groups with the same names are different groups.
    func refuseOtherProject() async throws(CommandFailure) {
        let guards = try await mapStateErrors { () async throws(StateStoreError) in
            try await store.guards()
        }
        let projectID = state.chosen.projectID(of: project)
        guard let refusal = guards.refusal(of: projectID) else { return }
        throw CommandFailure(
            ErrorText(refusal, by: .projectID, in: state.environment),
            exit: .refusedByGuard
        )
    }

    func reaching<Value: Sendable>(
        _ body: (DeviceGroupExecutor) async throws(CommandFailure) -> Value
    ) async throws(CommandFailure) -> Value {
        let server = try await EndpointServer.reach(
            EndpointServer.Target(state.chosen, of: project, allowsAnyServer: allowsAnyServer),
            in: state.session
        )
        let stop = StopSignal()
        let signals = InterruptHandler(stop, says: .changingMemberships)
        let executor = DeviceGroupExecutor(
            store: store,
            settings: RunSettings(
                transport: server.transport,
                endpoint: server.endpoint,
                clock: state.session.clock,
                stop: stop
            )
        )
        let result: Result<Value, CommandFailure>
        do throws(CommandFailure) {
            result = .success(try await body(executor))
        } catch {
            result = .failure(error)
        }
        signals.cancel()
        await server.stop()
        return try result.get()
    }

    func asking<Value: Sendable>(
        _ body: () async throws(ApplyError) -> Value
    ) async throws(CommandFailure) -> Value {
        do throws(ApplyError) {
            return try await body()
        } catch {
            throw CommandFailure(error, in: .groups)
        }
    }
}
