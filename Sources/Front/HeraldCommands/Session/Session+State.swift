import CampaignModel
import Presentation
import SQLiteStore
import State

/// Gives the state that an environment is planned with.
typealias StateOpening = (CampaignModel.Environment) async throws(CommandFailure) -> SQLiteStore

/// The states of the project's environments.
extension Session {
    /// Opens the environment's state.
    ///
    /// Rejects another lineage than `herald.yaml` names and an older serial. If `herald.yaml` names
    /// no state, creates a missing one.
    func openStore(
        _ environment: CampaignModel.Environment
    ) async throws(CommandFailure) -> SQLiteStore {
        try requireStateFolder()
        let gate = stateGate(environment)
        let keys = try stateKeys(environment)
        do throws(StateStoreError) { return try await gate.open(keys) } catch {
            let isOwn = environment.endpoint == .embeddedEmulator
            throw CommandFailure(ErrorText(error, isOfOwnEmulator: isOwn))
        }
    }

    /// - Throws: A failure if the folder of states is a link to a place outside of the project.
    func requireStateFolder() throws(CommandFailure) {
        try trust.requirePath(options.directory + "/" + Self.stateFolder)
    }

    func stateGate(_ environment: CampaignModel.Environment) -> StateIdentityCheck {
        StateIdentityCheck(
            of: statePath(environment.id),
            named: environment.settings.state.lineage.map(StateLineage.init(text:)),
            seen: KnownStateFile(context.variables)
        )
    }

    /// Reads the keys of an environment's encrypted state.
    func stateKeys(_ environment: CampaignModel.Environment) throws(CommandFailure) -> StateKeys {
        guard let encryption = environment.settings.state.encryption else { return .none }
        return try StateKeyReader(
            directory: options.directory,
            variables: context.variables,
            trust: trust
        ).keys(encryption)
    }

    func statePath(_ environment: EnvironmentID) -> String {
        "\(options.directory)/\(Self.stateFolder)/\(environment).sqlite"
    }

    static let stateFolder = ".herald"
}
