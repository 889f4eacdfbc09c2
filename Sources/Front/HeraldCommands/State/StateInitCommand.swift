import ArgumentParser
import CampaignLoading
import CampaignModel
import Diagnostics
import Presentation
import SQLiteStore
import State
import StoreTables
import Text
import Time

/// The `herald state init` command, which creates a state and names it in `herald.yaml`.
struct StateInitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        _superCommandName: "herald state",
        abstract: "Create the state and write its lineage into herald.yaml.",
        discussion: """
            EXAMPLES
              herald state init
              herald state init -e production

            The lineage identifies a state. After you commit it in herald.yaml, all commands \
            reject a state that is missing, different, or older than one seen on this machine. \
            `herald apply` requires a lineage in an environment with `fcm`. Never asks. Keeps \
            comments and formatting of herald.yaml. Does nothing if the lineage is already there.
            """
    )

    @OptionGroup var options: ProjectOptions
    @OptionGroup var environment: EnvironmentOptions

    func run() async throws {
        try await options.reportingFailure {
            let state = try EnvironmentState(in: try Session(options), chosen: environment)
            let wasThere = try await state.isThere()
            let isSealed = try await encryptIfPlain(state)
            let store = try await state.open()
            let identity = try await mapStateErrors { () async throws(StateStoreError) in
                try await store.identity()
            }
            options.show(
                StateNoticeWording.initialized(
                    state.environment,
                    as: identity,
                    by: wasThere ? isSealed ? .encrypted : .nothing : .created
                )
            )
            if isSealed { options.show(StateNoticeWording.unencrypted(state.copies())) }
            try name(identity.lineage, in: state)
        }
    }

    /// Encrypts an existing unencrypted state.
    ///
    /// Returns whether there was one.
    private func encryptIfPlain(_ state: EnvironmentState) async throws(CommandFailure) -> Bool {
        let gate = try state.session.stateGate(state.chosen)
        let keys = try state.session.stateKeys(state.chosen)
        guard let key = keys.key, try await state.isThere() else { return false }
        do throws(StateStoreError) {
            _ = try await gate.open(keys)
            return false
        } catch {
            guard case .notEncrypted = error else { throw CommandFailure(ErrorText(error)) }
            try state.requireFile(for: .encrypt)
        }
        let worker = Worker.this(
            command: "herald state init",
            since: state.session.clock.now()
        )
        let opened = try await mapStateErrors { () async throws(StateStoreError) in
            try await gate.open()
        }
        guard let store = opened as? SQLiteStore else { return false }
        try await locked(store, for: worker, waiting: 60) { () async throws(CommandFailure) in
            try await mapStateErrors { () async throws(StateStoreError) in
                try await store.encrypt(with: key)
                try await store.note(worker)
            }
        }
        return true
    }

    private func name(
        _ lineage: StateLineage,
        in state: EnvironmentState
    ) throws(CommandFailure) {
        guard state.chosen.settings.state.lineage == nil else {
            return Output.data(StateNoticeWording.alreadyNamed(in: ProjectLoader.projectFile))
        }
        let file = ProjectFileChange(in: state.session, for: state.environment)
        try file.write(lineage)
        options.show(
            StateNoticeWording.named(
                lineage,
                of: state.environment,
                in: ProjectLoader.projectFile
            )
        )
    }
}

/// Writes the lineage into `herald.yaml`, after checking that nothing else changes.
private struct ProjectFileChange {
    private let session: Session
    private let environment: EnvironmentID

    init(in session: Session, for environment: EnvironmentID) {
        self.session = session
        self.environment = environment
    }

    func write(_ lineage: StateLineage) throws(CommandFailure) {
        let path = ProjectLoader.projectFile
        let directory = session.options.directory
        guard let old = ProjectSources(projectFileIn: directory)[path],
            let new = LineageEdit(old)?.adding(lineage.text, to: environment),
            isSame(new, as: old, but: lineage)
        else { throw byHand(lineage, reason: FileProblemWording.ambiguous) }
        do {
            try ProjectFileReplacement(path, in: directory).replace(old, with: new)
        } catch {
            throw byHand(lineage, reason: error.reason)
        }
    }

    /// Whether the new text loads as the same project with the lineage added.
    private func isSame(_ new: [UInt8], as old: [UInt8], but lineage: StateLineage) -> Bool {
        let loader = ProjectLoader(zones: session.context.zones)
        let path = ProjectLoader.projectFile
        let (before, after) = (
            loader.load([(path, .success(old))]), loader.load([(path, .success(new))])
        )
        guard let former = before.project, let project = after.project,
            after.log.errorCount == before.log.errorCount,
            project.environment(environment)?.settings.state.lineage == lineage.text
        else { return false }
        return project.id == former.id && project.timeZone == former.timeZone
            && project.topics == former.topics
            && project.environments.filter { $0.id != environment }
                == former.environments.filter { $0.id != environment }
    }

    private func byHand(_ lineage: StateLineage, reason: String) -> CommandFailure {
        CommandFailure(
            .unchangedProjectFile(because: reason, lineage: lineage, environment: environment)
        )
    }
}
