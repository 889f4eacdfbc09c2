import CampaignLoading
import CampaignModel
import Presentation
import State
import StoreTables

/// Gives the state that an environment is planned with.
typealias StateOpening =
    (CampaignModel.Environment) async throws(CommandFailure) -> any TableStore

/// The states of the project's environments.
extension Session {
    /// Opens the environment's state.
    ///
    /// Rejects another lineage than `herald.yaml` names and an older serial. If `herald.yaml` names
    /// no state, creates a missing one.
    func openStore(
        _ environment: CampaignModel.Environment
    ) async throws(CommandFailure) -> any TableStore {
        try requireStateFolder(of: environment)
        let gate = try stateGate(environment)
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

    private func requireStateFolder(
        of environment: CampaignModel.Environment
    ) throws(CommandFailure) {
        if environment.settings.state.store == .sqlite { try requireStateFolder() }
    }

    func stateGate(
        _ environment: CampaignModel.Environment
    ) throws(CommandFailure) -> StateIdentityCheck {
        StateIdentityCheck(
            of: try stateAddress(environment),
            named: environment.settings.state.lineage.map(StateLineage.init(text:)),
            seen: KnownStateFile(context.variables)
        )
    }

    /// Where an environment's state is.
    func stateAddress(
        _ environment: CampaignModel.Environment
    ) throws(CommandFailure) -> StateAddress {
        switch environment.settings.state.store {
        case .sqlite: return .file(path: statePath(environment.id))
        case .postgres(let address?):
            try requireTrust(in: address)
            return try StateAddress(address, variables: context.variables)
        case .postgres(nil):
            throw CommandFailure(.unknownStateAddress(of: environment.id, because: nil))
        }
    }

    /// A branch could write the address of another server, with the values of variables in it.
    ///
    /// The value of a variable comes from the operator.
    ///
    /// - Throws: A failure if the address is in the file and its server may be another machine, unless
    ///   the operator allows that host.
    private func requireTrust(in address: DatabaseAddress) throws(CommandFailure) {
        guard !context.variables.values.contains(address.url) else { return }
        for host in try StateAddress.remoteHosts(of: address, variables: context.variables)
        where !trust.allows(host: host) {
            throw CommandFailure(.untrustedStateServer(host), exit: .refusedByGuard)
        }
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

    /// The path of an environment's state, if it is a file.
    func statePath(_ environment: EnvironmentID) -> String {
        "\(options.directory)/\(Self.stateFolder)/\(environment).sqlite"
    }

    static let stateFolder = ".herald"
}
