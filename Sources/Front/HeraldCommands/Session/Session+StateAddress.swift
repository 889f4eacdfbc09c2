import CampaignLoading
import CampaignModel
import Diagnostics
import Presentation

extension Session {
    /// Reads only `herald.yaml`, with the variables of an environment.
    func loadProjectFile(for environment: EnvironmentID?) -> LoadedProject {
        let variables = environment.map { EnvironmentVariables(for: $0, values: context.variables) }
        let loaded = ProjectLoader(zones: context.zones, variables: variables)
            .loadProjectFile(directory: options.directory)
        context.mask.hide(trust.hidden(loaded.insertedVariables))
        return loaded
    }

    /// Where an environment's state is.
    ///
    /// `loaded`: explains an address that is not known.
    func stateAddress(
        _ environment: CampaignModel.Environment,
        in loaded: LoadedProject
    ) throws(CommandFailure) -> StateAddress {
        guard case .postgres(nil) = environment.settings.state.store else {
            return try stateAddress(environment)
        }
        let reason = loaded.log.diagnostics.first { $0.rule == .environmentVariable }?.message
        throw CommandFailure(
            .unknownStateAddress(of: environment.id, because: reason),
            exit: .invalidFiles
        )
    }

    /// The state that `--state` names, otherwise the environment's.
    ///
    /// `herald.yaml` may be missing or invalid: then the environment's state is a file.
    func appliedState(
        at text: String?,
        orOf environment: EnvironmentOptions
    ) throws(CommandFailure) -> StateAddress {
        if let text { return try StateAddress(text, variables: context.variables) }
        guard let id = environment.id else {
            let path = "\(options.directory)/\(Self.stateFolder)/\(environment.environment).sqlite"
            throw CommandFailure(.noStateToSendFrom(path), exit: .usage)
        }
        let loaded = loadProjectFile(for: id)
        if let declared = loaded.project?.environment(id),
            declared.settings.state.store != .sqlite
        {
            return try stateAddress(declared, in: loaded)
        }
        try requireStateFolder()
        return .file(path: statePath(id))
    }
}
