import CampaignModel
import Presentation
import State
import StoreTables

/// Rejects a state with another lineage than `herald.yaml` names, or with a serial below the
/// highest seen.
struct StateIdentityCheck {
    let address: StateAddress
    /// Nil if neither `herald.yaml` names a lineage nor this machine has seen a state there.
    ///
    /// Then any lineage is accepted, and a missing state is created.
    let required: RequiredLineage?
    let seen: KnownStateFile

    init(of address: StateAddress, named: StateLineage?, seen: KnownStateFile) {
        self.address = address
        self.seen = seen
        required =
            named.map { RequiredLineage($0, by: .projectFile) }
            ?? seen.lineage(at: address).map { RequiredLineage($0, by: .machine) }
    }

    var lineage: StateLineage? { required?.lineage }

    func open(_ keys: StateKeys = .none) async throws(StateStoreError) -> any TableStore {
        // Read first, because another process may raise both while this one opens the state.
        let before = seen.serials()
        let store = try await openStore(keys)
        let identity = try await store.identity()
        try check(identity, seen: before)
        await seen.keep(identity, of: store)
        seen.place(identity.lineage, at: address)
        return store
    }

    /// A run is recorded on this machine before its first effect, so every older copy is refused,
    /// even if this process is killed during the run.
    private func openStore(
        _ keys: StateKeys
    ) async throws(StateStoreError) -> any TableStore {
        do throws(StateStoreError) {
            return try await address.open(
                keys,
                creates: required == nil,
                events: StateAddress.Events(
                    didRewrap: Self.sayRewrapped,
                    didBeginRun: { [seen] store in await seen.note(store) }
                )
            )
        } catch {
            guard case .missing(let path, _) = error else { throw error }
            throw .missing(path: path, required: required)
        }
    }

    private static func sayRewrapped() {
        Output.message(StateNoticeWording.rewrapped)
    }

    func check(_ identity: StateIdentity, seen: KnownSerials) throws(StateStoreError) {
        if let required, identity.lineage != required.lineage {
            throw .foreign(path: address.name, required: required, found: identity.lineage)
        }
        if let seen = seen[identity.lineage], identity.serial < seen {
            throw .rolledBack(path: address.name, seen: seen, found: identity.serial)
        }
    }
}

extension PlanningTarget {
    /// - Throws: A failure if `herald.yaml` has to name the lineage and does not.
    func refuseUnnamedState() async throws(CommandFailure) {
        let identity = try await mapStateErrors { () async throws(StateStoreError) in
            try await store.identity()
        }
        try environment.refuseUnnamedState(identity.lineage)
    }
}

extension CampaignModel.Environment {
    /// Whether `herald.yaml` has to name the state's lineage and does not.
    ///
    /// If sends reach people, no machine may treat a lost state as a new one.
    var lacksLineage: Bool {
        if case .fcm = endpoint { settings.state.lineage == nil } else { false }
    }

    /// `lineage`: the lineage of the existing state; nil if there is none.
    ///
    /// - Throws: A failure if `herald.yaml` has to name the lineage and does not.
    func refuseUnnamedState(_ lineage: StateLineage?) throws(CommandFailure) {
        guard lacksLineage else { return }
        throw CommandFailure(.unnamedLineage(of: id, found: lineage))
    }
}

extension Session {
    /// Performs `work` with a state, and records the state's serial afterwards, even if `work` fails.
    func notingSerial<Value>(
        of store: any StateReader & HistoryStore,
        work: () async throws -> Value
    ) async throws -> Value {
        let result: Result<Value, any Error>
        do {
            result = .success(try await work())
        } catch {
            result = .failure(error)
        }
        await KnownStateFile(context.variables).note(store)
        return try result.get()
    }
}
