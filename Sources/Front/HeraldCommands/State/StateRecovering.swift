import Applying
import CampaignModel
import Planning
import Presentation
import RunControl
import SQLiteStore
import State
import StoreTables
import Time

/// Creates a state with which no message is sent twice.
///
/// The new state gets its final name only when it is complete. Otherwise a second apply could use a
/// state without records.
struct StateRecovering {
    private let state: EnvironmentState
    private let loss: StateLoss
    private let worker: Worker
    private let gate: StateIdentityCheck

    init(
        _ state: EnvironmentState,
        after loss: StateLoss,
        by worker: Worker
    ) throws(CommandFailure) {
        self.state = state
        self.loss = loss
        self.worker = worker
        gate = try state.session.stateGate(state.chosen)
    }

    /// Recovers a state in a file, whose lock the caller has.
    ///
    /// `load`: loads the project for planning with a given store.
    func perform(
        under lock: StateLock,
        _ load: (@escaping StateOpening) async throws(CommandFailure) -> PlanningTarget
    ) async throws(CommandFailure) -> RecoveryReport {
        let draft = TemporaryStateFile.name(beside: state.path)
        defer { TemporaryStateFile.remove(draft) }
        TemporaryStateFile.removeStale(beside: state.path)
        switch loss {
        case .none, .rolledBack:
            let opened = try state.session.openUnchecked(state)
            let store = try await naming { () async throws(StateStoreError) in try opened.get() }
            return try await fill(store, load: load)
        case .missing:
            let keys = try state.session.stateKeys(state.chosen)
            try await naming { () async throws(StateStoreError) in
                try SQLiteStore.makeDraft(path: draft, lineage: gate.lineage, key: keys.key)
            }
            var report = try await fill(draft: draft, load: load)
            report.kept = try await replace(with: draft, as: "lost", under: lock)
            return report
        case .damaged:
            let salvaged = try await salvage(to: draft)
            var report = try await fill(draft: draft, load: load, salvaged: salvaged)
            report.kept = try await replace(with: draft, as: "damaged", under: lock)
            return report
        }
    }

    private func salvage(to draft: String) async throws(CommandFailure) -> Salvage {
        let keys = try state.session.stateKeys(state.chosen)
        return try await naming { () async throws(StateStoreError) in
            let copy = try TemporaryStateFile.make(of: state.path, beside: state.path)
            return try Salvage(
                of: copy,
                to: draft,
                home: state.path,
                lineage: gate.lineage,
                key: keys.key,
                previous: keys.previous
            )
        }
    }

    /// Records in a draft what may have been sent, and closes it.
    func fill(
        draft: String,
        load: (@escaping StateOpening) async throws(CommandFailure) -> PlanningTarget,
        salvaged: Salvage? = nil
    ) async throws(CommandFailure) -> RecoveryReport {
        let opened = try state.session.openDraft(draft, of: state.chosen)
        let store = try await naming { () async throws(StateStoreError) in try opened.get() }
        let report = try await fill(store, load: load, salvaged: salvaged)
        try await naming { () async throws(StateStoreError) in try await store.close() }
        return report
    }

    /// Records in a store, whose lock the caller has, what may have been sent.
    func fill(
        _ store: any TableStore,
        load: (@escaping StateOpening) async throws(CommandFailure) -> PlanningTarget,
        salvaged: Salvage? = nil
    ) async throws(CommandFailure) -> RecoveryReport {
        let former = try await naming { () async throws(StateStoreError) in
            try await store.identity()
        }
        if let required = gate.required, former.lineage != required.lineage {
            let path = state.path
            throw CommandFailure(
                ErrorText(.foreign(path: path, required: required, found: former.lineage))
            )
        }
        let target = try await load { _ in store }
        let plan = try await state.session.recovery(target, at: worker.since)
        let project = AppliedProject(
            directory: target.checked.lists,
            fingerprinter: target.checked.fingerprinter,
            zones: target.zones
        )
        let recovery = Recovery(store: store, project: project)
        let sendings: [RecoveredSending]
        do {
            sendings = try await recovery.perform(plan, by: worker)
        } catch {
            guard case .state(let cause) = error else { throw CommandFailure(ErrorText(error)) }
            throw CommandFailure(ErrorText(cause.at(state.path)))
        }
        return try await naming { () async throws(StateStoreError) in
            // Last, because no command accepts the state while its serial is below the highest
            // seen.
            if let seen = gate.seen.serials()[former.lineage] {
                try await store.raiseSerial(to: StateSerial(number: seen.number + 1))
            }
            let identity = try await store.identity()
            let open = try await store.occurrences(.unsettled)
            return RecoveryReport(
                environment: state.environment,
                loss: loss,
                former: former.serial,
                identity: identity,
                carried: salvaged.map { $0.tables.map { ($0.name, $0.rows, $0.hasGap) } } ?? [],
                repairs: salvaged?.repairs.wording ?? [],
                hasIdentity: salvaged?.hasIdentity ?? true,
                sendings: sendings,
                rules: plan.rules,
                isUnknown: open.contains { ($0.unit?.tally[.unknown] ?? 0) > 0 }
            )
        }
    }

    /// Reports errors with the state's own path instead of the temporary file's.
    private func naming<Value>(
        _ body: () async throws(StateStoreError) -> Value
    ) async throws(CommandFailure) -> Value {
        try await mapStateErrors { () async throws(StateStoreError) in
            do throws(StateStoreError) { return try await body() } catch {
                throw error.at(state.path)
            }
        }
    }

    /// Replaces the state.
    ///
    /// Returns the name under which the old file is kept.
    private func replace(
        with draft: String,
        as word: String,
        under lock: StateLock
    ) async throws(CommandFailure) -> String? {
        let hasSomething = loss.isDamage || SQLiteStore.hasLog(path: state.path)
        return try await naming { () async throws(StateStoreError) in
            let aside = try DisplacedStateFile(
                of: state.path,
                as: word,
                at: worker.since.compactText
            )
            try aside.keep()
            try aside.replace(with: draft, under: lock)
            return hasSomething ? aside.path : nil
        }
    }
}

extension SalvageRepairs {
    /// Describes the records that cannot be recovered.
    fileprivate var wording: [String] {
        let lost: [LostRecordsWording] = [
            .runs(lostRuns), .occurrences(lostUnits), .outcomes(lostOutcomes), .lists(lostLists),
            .members(lostMembers),
        ]
        return lost.compactMap(\.text)
    }
}
