import Applying
import ArgumentParser
import CampaignLoading
import CampaignModel
import FoundationEssentials
import Planning
import Presentation
import RegistrationLists
import SQLiteStore
import State
import StoreTables
import Text
import Time

/// An environment's state, for commands that inspect or control it.
///
/// These commands read only `herald.yaml`, so they work even if campaigns are invalid. If
/// `herald.yaml` is invalid too, an existing state is enough.
struct EnvironmentState {
    let session: Session
    /// The environment.
    ///
    /// If `herald.yaml` is invalid, only its name is known.
    let chosen: CampaignModel.Environment
    let address: StateAddress
    /// Nil if `herald.yaml` is invalid.
    let destination: PlanDestination?
    /// The project's IANA zone; UTC if `herald.yaml` is invalid.
    let zone: String

    init(in session: Session, chosen: EnvironmentOptions) throws(CommandFailure) {
        let directory = session.options.directory
        let file = directory + "/" + ProjectLoader.projectFile
        guard FileManager.default.fileExists(atPath: file) else {
            throw CommandFailure(.noProject)
        }
        self.session = session
        let loaded = session.loadProjectFile(for: chosen.id)
        if let project = loaded.project {
            let found = try chosen.environment(of: project)
            if found.settings.isProtected, session.context.hasFixedClock {
                throw Self.fixedClock(found.id)
            }
            self.chosen = found
            address = try session.stateAddress(found, in: loaded)
            destination = PlanDestination(found, of: project)
            zone = project.timeZone
            return
        }
        guard let id = chosen.id, try Self.isFileThere(session.statePath(id)) else {
            throw CommandFailure(.invalidProject, exit: .invalidFiles)
        }
        self.chosen = CampaignModel.Environment(id: id, endpoint: .unresolved)
        address = .file(path: session.statePath(id))
        destination = nil
        zone = "UTC"
    }

    var environment: EnvironmentID { chosen.id }

    private static func fixedClock(_ environment: EnvironmentID) -> CommandFailure {
        CommandFailure(
            ErrorText(.fixedClock, by: .clock, in: environment),
            exit: .refusedByGuard
        )
    }

    private static func isFileThere(_ path: String) throws(CommandFailure) -> Bool {
        do {
            return try SQLiteStore.isThere(path: path)
        } catch {
            throw CommandFailure(ErrorText(error))
        }
    }

    /// Opens the state; nil if nothing was ever applied.
    ///
    /// Never creates a state.
    ///
    /// - Throws: A failure if `herald.yaml` names a state that does not exist.
    func openIfThere() async throws(CommandFailure) -> (any TableStore)? {
        if try session.stateGate(chosen).required != nil { return try await open() }
        return try await isThere() ? try await open() : nil
    }

    /// Whether a state exists, even if it is damaged.
    func isThere() async throws(CommandFailure) -> Bool {
        try await mapStateErrors { () async throws(StateStoreError) in try await address.isThere() }
    }

    /// Names the state: its path, or its server.
    var path: String { address.name }

    /// - Throws: A failure if the state is on a server.
    func requireFile(for command: StateFileCommand) throws(CommandFailure) {
        guard address.path == nil else { return }
        throw CommandFailure(.needsStateFile(command, at: address.name), exit: .usage)
    }

    /// Opens the state.
    ///
    /// Creates it if it is missing.
    func open() async throws(CommandFailure) -> any TableStore {
        try await session.openStore(chosen)
    }

    /// All declared campaigns, including those in a project with errors.
    func campaignsInFiles() -> Set<CampaignID> {
        Set(session.load().declarations.campaigns.compactMap { $0.value.campaign?.value })
    }

    func reader(of store: any TableStore) async throws(CommandFailure) -> OverviewReader {
        let key = try await mapStateErrors { () async throws(StateStoreError) in
            try await store.identity().fingerprintKey
        }
        return OverviewReader(
            store: store,
            fingerprinter: Fingerprinter(key: key),
            zones: session.context.zones,
            zone: zone,
            now: session.clock.now()
        )
    }

    /// Finds a campaign by name in the state or in the files.
    func campaign(
        _ name: String,
        in reader: (any StateReader)?
    ) async throws(CommandFailure) -> CampaignID {
        if let id = CampaignID(name), let reader,
            try await mapStateErrors({ () async throws(StateStoreError) in
                try await reader.contains(id)
            })
        {
            return id
        }
        var known = campaignsInFiles()
        if let reader {
            let inState = try await mapStateErrors { () async throws(StateStoreError) in
                try await reader.campaigns()
            }
            known.formUnion(inState)
        }
        if let id = CampaignID(name), known.contains(id) { return id }
        throw CommandFailure(
            .unknownCampaign(name, among: known.map(\.rawValue).sorted()),
            exit: .usage
        )
    }
}
