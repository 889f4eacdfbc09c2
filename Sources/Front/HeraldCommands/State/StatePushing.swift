import Presentation
import SQLiteStore
import State
import StoreTables
import Time

/// Replaces a state with a copy.
struct StatePushing {
    private let state: EnvironmentState
    private let incoming: SQLiteStore
    /// Nil if there is no state or it cannot be read.
    private let current: SQLiteStore?
    private let given: StateIdentity
    /// The highest serial of the existing state or seen on this machine.
    private let highest: StateSerial
    /// The copy was made during a run and lacks what the run did afterwards.
    private let isCut: Bool

    /// `file`: the copy's name for messages.
    ///
    /// - Throws: A failure if the copy's lineage is not the expected one.
    init(
        to state: EnvironmentState,
        of file: String,
        incoming: SQLiteStore,
        over current: SQLiteStore?
    ) async throws(CommandFailure) {
        self.state = state
        self.incoming = incoming
        self.current = current
        let gate = try state.session.stateGate(state.chosen)
        let (given, there, cut) = try await mapStateErrors { () async throws(StateStoreError) in
            (
                try await incoming.identity(), try await current?.identity(),
                try incoming.unfinishedRun()
            )
        }
        isCut = cut != nil
        self.given = given
        if let required = gate.required {
            guard required.lineage == given.lineage else {
                throw CommandFailure(
                    .foreignCopy(
                        file,
                        lineage: given.lineage,
                        required: required,
                        in: state.environment
                    )
                )
            }
        } else if let there, there.lineage != given.lineage {
            throw CommandFailure(
                .foreignCopy(
                    file,
                    lineage: given.lineage,
                    there: there.lineage,
                    at: state.path
                )
            )
        }
        let serials = [
            given.serial, gate.seen.serials()[given.lineage],
            there?.lineage == given.lineage ? there?.serial : nil,
        ]
        highest = serials.compactMap(\.self).max() ?? given.serial
    }

    /// Whether the copy may lack records of later runs.
    var isOlder: Bool { given.serial < highest || isCut }

    func refuseOlder(_ file: String) -> CommandFailure {
        CommandFailure(
            .olderCopy(
                file,
                serial: given.serial,
                highest: given.serial < highest ? highest : nil,
                hint: CommandHint(for: state.environment)
            )
        )
    }

    /// Records in an older copy, before it is put in place, what may have been sent since.
    ///
    /// Returns nil if the copy is not older.
    func recover(
        draft: String,
        by worker: Worker,
        load: (@escaping StateOpening) async throws(CommandFailure) -> PlanningTarget
    ) async throws(CommandFailure) -> RecoveryReport? {
        guard isOlder else { return nil }
        return try await StateRecovering(state, after: .rolledBack, by: worker)
            .fill(draft: draft, load: load)
    }

    /// Puts the copy in place.
    ///
    /// Returns the name of the replaced file.
    ///
    /// A readable state is replaced in one transaction, so that its readers are not disturbed.
    func perform(
        draft: String,
        at now: Instant,
        under lock: StateLock
    ) async throws(CommandFailure) -> String? {
        let isThere = (try? SQLiteStore.isThere(path: state.path)) ?? true
        return try await mapStateErrors { () async throws(StateStoreError) in
            let aside = try DisplacedStateFile(of: state.path, as: "replaced", at: now.compactText)
            if let current {
                try await current.copy(to: aside.path)
                try await current.replaceContent(with: incoming)
                return aside.path
            }
            try aside.keep()
            try await incoming.close()
            try aside.replace(with: draft, under: lock)
            return isThere ? aside.path : nil
        }
    }

    /// Records the run in the new state.
    ///
    /// Its serial is higher than any previous one.
    func record(by worker: Worker) async throws(CommandFailure) -> StateIdentity {
        let opened = try state.session.openUnchecked(state)
        return try await mapStateErrors { () async throws(StateStoreError) in
            let store = try opened.get()
            try await store.raiseSerial(to: highest)
            let run = try await store.beginRun(worker)
            try await store.finishRun(
                run,
                as: RunEnd(
                    status: .complete,
                    tally: OutcomeTally(),
                    cause: isOlder ? RunCauseWording.olderCopy : nil,
                    at: worker.since
                )
            )
            return try await store.identity()
        }
    }
}
