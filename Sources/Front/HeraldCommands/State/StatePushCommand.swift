import ArgumentParser
import CampaignModel
import Presentation
import SQLiteStore
import State
import Time

/// The `herald state push` command, which replaces the state with a copy.
struct StatePushCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push",
        _superCommandName: "herald state",
        abstract: "Restore a copy of the state that `pull` made.",
        discussion: """
            EXAMPLES
              herald state push backup.sqlite
              herald state push backup.sqlite -e production --dangerous-older

            The copy is verified first. It must be intact, in a supported format, of the lineage \
            in herald.yaml, and no older than the present state or one seen on this machine. The \
            replaced state is kept next to it.

            An older copy does not contain later sends, and Herald would repeat them. \
            --dangerous-older accepts it anyway, and then works like `herald state recover`. The \
            exit code is 4 if outcomes are unknown.
            """
    )

    @OptionGroup var options: ProjectOptions
    @OptionGroup var environment: EnvironmentOptions

    @Flag(help: "Accept a copy that is older than the state (recorded).")
    var dangerousOlder = false

    @OptionGroup var lockOptions: LockOptions

    @Argument(help: "Copy of the state.", completion: .file())
    var file: String

    func run() async throws {
        try await options.reportingFailure {
            let state = try EnvironmentState(in: try Session(options), chosen: environment)
            try state.requireFile(for: .push)
            let now = state.session.clock.now()
            var worker = Worker.this(
                command: "herald state push",
                since: now,
                origin: .of(options.directory, variables: CommandContext.current.variables)
            )
            let lock = try await state.session
                .lockState(state.path, for: worker, waiting: lockOptions.timeout)
            defer { lock.release() }
            let draft = try copyOfFile(beside: state.path)
            defer { TemporaryStateFile.remove(draft) }
            let push = try await StatePushing(
                to: state,
                of: file,
                incoming: try await incoming(draft, for: state),
                over: try current(state)
            )
            guard !push.isOlder || dangerousOlder else { throw push.refuseOlder(file) }
            if push.isOlder { worker.bypasses = ["--dangerous-older"] }
            var recovery = try await push.recover(draft: draft, by: worker) {
                opening async throws(CommandFailure) in
                try await state.session.target(environment, opening: opening, for: .checking)
            }
            let kept = try await push.perform(draft: draft, at: now, under: lock)
            let identity = try await push.record(by: worker)
            recovery?.identity = identity
            KnownStateFile(state.session.context.variables).keep(identity, head: .forgotten)
            say(identity, kept: kept, recovery: recovery, in: state)
            if recovery?.isUnknown == true { throw ExitReason.unknownOutcomes.code }
        }
    }

    private func say(
        _ identity: StateIdentity,
        kept: String?,
        recovery: RecoveryReport?,
        in state: EnvironmentState
    ) {
        let hint = CommandHint(for: state.environment)
        let view = RecoveryTextView(
            style: options.outputStyle,
            hint: hint,
            path: state.path
        )
        let notice = StateNoticeWording.pushed(
            file,
            to: state.environment,
            serial: identity.serial,
            kept: kept
        )
        options.show(notice + (recovery.map(view.render) ?? ""))
    }

    /// Copies the file before checking it, so that the checked contents are the ones put in place
    /// even if the file changes.
    private func copyOfFile(beside path: String) throws(CommandFailure) -> String {
        guard !SQLiteStore.hasLog(path: file) else {
            throw CommandFailure(.copyInUse(file))
        }
        do throws(StateStoreError) {
            return try TemporaryStateFile.make(of: file, beside: path)
        } catch {
            throw CommandFailure(ErrorText(error).withoutHelp)
        }
    }

    private func incoming(
        _ draft: String,
        for state: EnvironmentState
    ) async throws(CommandFailure) -> SQLiteStore {
        let opened = try state.session.openDraft(draft, of: state.chosen)
        do throws(StateStoreError) {
            let store = try opened.get()
            try await store.verify()
            return store
        } catch {
            throw CommandFailure(ErrorText(error, ofCopy: file))
        }
    }

    /// Nil if there is no state or it cannot be read.
    private func current(_ state: EnvironmentState) throws(CommandFailure) -> SQLiteStore? {
        do throws(StateStoreError) {
            guard try SQLiteStore.isThere(path: state.path) else { return nil }
        } catch {
            return try nothing(error)
        }
        let opened = try state.session.openUnchecked(state)
        do throws(StateStoreError) {
            return try opened.get()
        } catch {
            return try nothing(error)
        }
    }

    private func nothing(_ error: StateStoreError) throws(CommandFailure) -> SQLiteStore? {
        switch error {
        case .missing, .damaged: return nil
        case .unreachable, .damagedIDs, .diskFull, .readOnly, .otherFormat, .locked, .encrypted,
            .wrongKey, .notEncrypted, .failed, .foreign, .replaced, .unsuitable, .displaced,
            .rolledBack, .moved, .server:
            throw CommandFailure(ErrorText(error))
        }
    }
}
