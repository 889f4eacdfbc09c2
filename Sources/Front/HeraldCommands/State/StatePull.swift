import ArgumentParser
import Presentation
import State
import FoundationEssentials
import SQLiteStore

/// The `herald state pull` command, which copies the state.
struct StatePull: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pull",
        abstract: "Copy the state into a file, while others read and write it.",
        discussion: """
            EXAMPLES
              herald state pull backup.sqlite
              herald state pull backup.sqlite --force -e production

            The copy is one moment of the state, and as secret as the state itself: it has the \
            registrations, encrypted where the state is. The ids of messages to lists, of \
            campaigns with `record: ids`, are not in it. `herald state push` puts it back.
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var environment: EnvironmentOptions

    @Flag(help: "Replace the file where there is one.")
    var force = false

    @Argument(help: "The file that is made.", completion: .file())
    var file: String

    func run() async throws {
        try await options.reportingFailure {
            let state = try EnvironmentState(try Pipeline(options), environment)
            guard let store = try state.openIfThere() else {
                throw CommandFailure("there is no state of \(state.environment) yet")
            }
            try check(state)
            let serial = try stating { () throws(StateStoreError) in
                try store.copy(to: file)
            }
            Output.data(
                "Copied the state of \(state.environment), serial \(serial), to "
                    + "\(TextStyle.safe(file)). Not in it: the ids of messages to lists.\n"
            )
        }
    }

    private func check(_ state: EnvironmentState) throws(CommandFailure) {
        guard FileManager.default.fileExists(atPath: file) else { return }
        guard force else {
            throw CommandFailure(
                "\(TextStyle.safe(file)) is there already",
                help: "take another name, or --force replaces it"
            )
        }
        guard RealPath.of(file) != RealPath.of(state.path) else {
            throw CommandFailure("\(TextStyle.safe(file)) is the state itself", exit: .usage)
        }
    }
}
