import ArgumentParser
import CampaignModel
import Presentation
import SQLiteStore
import State
import StoreTables
import Time

/// The `herald state recover` command, which restores a state that was lost, damaged or rolled
/// back.
struct StateRecoverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        _superCommandName: "herald state",
        abstract: "Continue after the state was lost, damaged or outdated.",
        discussion: """
            EXAMPLES
              herald state recover
              herald state recover -e production
              herald state recover --rolled-back   after an older copy was restored

            Creates a missing state with the lineage in herald.yaml. Keeps all readable data of \
            a damaged state, and keeps the damaged file. Leaves an older state as it is. In \
            PostgreSQL, recovers only an older state, after a backup was restored.

            In each case, every outcome that may have been sent counts as unknown. Herald does \
            not send it until you use `herald resolve`. Prints what was rebuilt and what is no \
            longer known. The exit code is 4 if outcomes are unknown, and 0 if the state needs \
            no recovery.
            """
    )

    @OptionGroup var options: ProjectOptions
    @OptionGroup var environment: EnvironmentOptions

    @Flag(help: "Treat the state as an older copy. Works even if no newer state was seen here.")
    var rolledBack = false

    @OptionGroup var lockOptions: LockOptions

    func run() async throws {
        try await options.reportingFailure {
            let state = try EnvironmentState(in: try Session(options), chosen: environment)
            let worker = Worker.this(
                command: "herald state recover",
                since: state.session.clock.now(),
                origin: .of(options.directory, variables: CommandContext.current.variables)
            )
            let report =
                state.address.path == nil
                ? try await recoverOnServer(state, by: worker)
                : try await recoverFile(state, by: worker)
            let view = RecoveryTextView(
                style: options.outputStyle,
                hint: CommandHint(for: state.environment),
                path: state.path
            )
            guard let report else { return Output.data(view.renderSound()) }
            Output.data(view.render(report))
            if report.isUnknown { throw ExitReason.unknownOutcomes.code }
        }
    }

    /// Nil if the state needs no recovery.
    private func recoverFile(
        _ state: EnvironmentState,
        by worker: Worker
    ) async throws(CommandFailure) -> RecoveryReport? {
        let lock = try await state.session
            .lockState(state.path, for: worker, waiting: lockOptions.timeout)
        defer { lock.release() }
        let loss = try await StateLoss(of: state, isRolledBack: rolledBack)
        guard loss != .none else { return nil }
        let recovering = try StateRecovering(state, after: loss, by: worker)
        let report = try await recovering.perform(under: lock) {
            opening async throws(CommandFailure) in
            try await state.session.target(environment, opening: opening, for: .checking)
        }
        note(report, of: state)
        return report
    }

    private func note(_ report: RecoveryReport, of state: EnvironmentState) {
        KnownStateFile(state.session.context.variables).keep(report.identity, head: .forgotten)
    }

    /// A server loses nothing but what a restored backup lacks.
    ///
    /// Nil if the state needs no recovery.
    private func recoverOnServer(
        _ state: EnvironmentState,
        by worker: Worker
    ) async throws(CommandFailure) -> RecoveryReport? {
        let gate = try state.session.stateGate(state.chosen)
        let keys = try state.session.stateKeys(state.chosen)
        let store = try await mapStateErrors { () async throws(StateStoreError) in
            try await state.address.open(keys, creates: false)
        }
        return try await locked(
            store,
            for: worker,
            waiting: lockOptions.timeout
        ) { () async throws(CommandFailure) in
            guard try await isOlder(store, than: gate) || rolledBack else { return nil }
            let recovering = try StateRecovering(state, after: .rolledBack, by: worker)
            let report = try await recovering.fill(store) {
                opening async throws(CommandFailure) in
                try await state.session.target(environment, opening: opening, for: .checking)
            }
            note(report, of: state)
            return report
        }
    }

    /// - Throws: A failure if the state has another lineage.
    private func isOlder(
        _ store: any TableStore,
        than gate: StateIdentityCheck
    ) async throws(CommandFailure) -> Bool {
        do throws(StateStoreError) {
            try gate.check(try await store.identity(), seen: gate.seen.serials())
            return false
        } catch {
            if case .rolledBack = error { return true }
            throw CommandFailure(ErrorText(error))
        }
    }
}

extension StateLoss {
    /// Determines the kind of loss.
    ///
    /// Requires the lock.
    ///
    /// - Throws: A failure if the state has another lineage, or cannot be opened for another
    ///   reason.
    fileprivate init(
        of state: EnvironmentState,
        isRolledBack: Bool
    ) async throws(CommandFailure) {
        let gate = try state.session.stateGate(state.chosen)
        do throws(StateStoreError) {
            guard try SQLiteStore.isThere(path: state.path) else {
                self = .missing
                return
            }
        } catch {
            guard case .damaged = error else { throw CommandFailure(ErrorText(error)) }
            // Only its write-ahead log exists, which is useless without the state.
            self = .missing
            return
        }
        let hadLog = SQLiteStore.hasLog(path: state.path)
        let opened = try state.session.openUnchecked(state)
        do throws(StateStoreError) {
            let store = try opened.get()
            try await store.verify()
            try gate.check(try await store.identity(), seen: gate.seen.serials())
            // No other process is writing, so a run that has not ended has lost its log: without
            // it, the file is an older copy.
            let hasLostLog = try hadLog ? false : store.unfinishedRun() != nil
            self = isRolledBack || hasLostLog ? .rolledBack : .none
        } catch {
            switch error {
            case .damaged(_, let reason): self = .damaged(reason)
            case .rolledBack: self = .rolledBack
            case .unreachable, .damagedIDs, .diskFull, .readOnly, .otherFormat, .locked,
                .encrypted, .wrongKey, .notEncrypted, .failed, .missing, .foreign, .replaced,
                .unsuitable, .displaced, .moved, .server:
                throw CommandFailure(ErrorText(error))
            }
        }
    }
}
