import CampaignLoading
import CampaignModel
import SQLiteStore
import State
import StoreTables

/// An environment's state, read in parallel with the project's files.
struct PrefetchedState: Sendable {
    let environment: CampaignModel.Environment
    let store: any TableStore
    let applied: AppliedState
}

extension Session {
    /// Reads the state.
    ///
    /// Nil if there is no state yet, if it needs a key, or if the state or `herald.yaml` has a
    /// problem. The regular open, which follows, reports the problem.
    func readAhead(_ options: EnvironmentOptions) async -> PrefetchedState? {
        guard let id = options.id, (try? SQLiteStore.isThere(path: statePath(id))) == true else {
            return nil
        }
        let loader = ProjectLoader(
            zones: context.zones,
            variables: EnvironmentVariables(for: id, values: context.variables)
        )
        let project = loader.loadProjectFile(directory: self.options.directory).project
        guard let environment = project?.environment(id),
            environment.settings.state.store == .sqlite,
            environment.settings.state.encryption == nil,
            let store = try? await openStore(environment),
            let applied = try? await store.appliedState()
        else { return nil }
        return PrefetchedState(environment: environment, store: store, applied: applied)
    }
}
