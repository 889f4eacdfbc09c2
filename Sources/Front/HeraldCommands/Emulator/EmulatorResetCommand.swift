import ArgumentParser
import CampaignModel
import FoundationEssentials
import Presentation
import SQLiteStore
import State
import StoreTables
import Time

/// `herald emulator reset`: the only command that discards a state on purpose.
struct EmulatorResetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        _superCommandName: "herald emulator",
        abstract: "Empty the emulator and the environment's state.",
        discussion: """
            EXAMPLES
              herald emulator reset
              herald emulator reset -e bench

            Deletes what the virtual devices received and what they subscribed to, and puts an \
            empty state in the place of the environment's state, even if that is missing, older \
            or damaged. The next apply sends everything again, to the virtual devices only. \
            Works only in environments that use the project's own emulator (`emulator: {}`). \
            Never asks.
            """
    )

    @OptionGroup var options: ProjectOptions
    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup var lockOptions: LockOptions

    func run() async throws {
        try await options.reportingFailure {
            let state = try EnvironmentState(in: try Session(options), chosen: environment)
            try state.requireFile(for: .emulatorReset)
            try refuseOtherServer(of: state.chosen)
            let worker = Worker.this(
                command: "herald emulator reset",
                since: state.session.clock.now()
            )
            let lock = try await state.session
                .lockState(state.path, for: worker, waiting: lockOptions.timeout)
            defer { lock.release() }
            try EmulatorFolder(options).erase()
            let identity = try await state.startFromScratch(at: worker.since, under: lock)
            Output.data(StateNoticeWording.erased(state.environment, to: identity))
        }
    }

    private func refuseOtherServer(
        of environment: CampaignModel.Environment
    ) throws(CommandFailure) {
        guard environment.endpoint != .embeddedEmulator else { return }
        let hint = CommandHint(for: environment.id)
        throw CommandFailure(.noOwnEmulator(of: environment.id, hint: hint), exit: .usage)
    }
}

extension EnvironmentState {
    /// Replaces the state with an empty one; the writer's lock is held.
    ///
    /// A lineage in `herald.yaml` stays, and the serial continues above the highest known one, so
    /// copies of the previous state stay older than this state.
    fileprivate func startFromScratch(
        at now: Instant,
        under lock: StateLock
    ) async throws(CommandFailure) -> StateIdentity {
        let seen = KnownStateFile(session.context.variables)
        let named = chosen.settings.state.lineage.map(StateLineage.init(text:))
        let keys = try session.stateKeys(chosen)
        let draft = TemporaryStateFile.name(beside: path)
        defer { TemporaryStateFile.remove(draft) }
        TemporaryStateFile.removeStale(beside: path)
        try await mapStateErrors { () async throws(StateStoreError) in
            try SQLiteStore.makeDraft(path: draft, lineage: named, key: keys.key)
        }
        let made = try session.openDraft(draft, of: chosen)
        let identity = try await mapStateErrors { () async throws(StateStoreError) in
            let store = try made.get()
            if let highest = seen.serials()[try await store.identity().lineage] {
                try await store.raiseSerial(to: StateSerial(number: highest.number + 1))
            }
            let identity = try await store.identity()
            try await store.close()
            try DisplacedStateFile(of: path, as: "replaced", at: now.compactText).replace(
                with: draft,
                under: lock
            )
            return identity
        }
        // Requests and message IDs are numbered from the beginning again.
        try? FileManager.default.removeItem(atPath: String(path.dropLast("sqlite".count)) + "ids")
        seen.keep(identity, head: .forgotten)
        seen.place(identity.lineage, at: address)
        return identity
    }
}
