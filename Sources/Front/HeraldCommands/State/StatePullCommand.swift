import ArgumentParser
import FoundationEssentials
import Presentation
import SQLiteStore
import State
import SystemIO

/// The `herald state pull` command, which copies the state.
struct StatePullCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pull",
        _superCommandName: "herald state",
        abstract: "Copy the state into a file, even during an apply.",
        discussion: """
            EXAMPLES
              herald state pull backup.sqlite
              herald state pull backup.sqlite --force -e production

            The copy is consistent and as secret as the state: it contains the registrations, \
            encrypted if the state is encrypted. It does not contain the message IDs of list \
            sends (`record: ids`). `herald state push` restores it.
            """
    )

    @OptionGroup var options: ProjectOptions
    @OptionGroup var environment: EnvironmentOptions

    @Flag(help: "Replace an existing file.")
    var force = false

    @Argument(help: "File to create.", completion: .file())
    var file: String

    func run() async throws {
        try await options.reportingFailure {
            let state = try EnvironmentState(in: try Session(options), chosen: environment)
            try state.requireFile(for: .pull)
            guard let store = try await state.openIfThere() as? SQLiteStore else {
                throw CommandFailure(.noState(of: state.environment))
            }
            try check(state)
            let serial = try await mapStateErrors { () async throws(StateStoreError) in
                try await store.copy(to: file)
            }
            options.show(
                StateNoticeWording.pulled(state.environment, serial: serial, to: file)
            )
        }
    }

    private func check(_ state: EnvironmentState) throws(CommandFailure) {
        guard FileManager.default.fileExists(atPath: file) else { return }
        guard force else {
            throw CommandFailure(.existingCopy(file))
        }
        guard RealPath.of(file) != RealPath.of(state.path) else {
            throw CommandFailure(.copyIsState(file), exit: .usage)
        }
    }
}
