import Applying
import ArgumentParser
import Presentation
import State
import StoreTables

/// The `herald state list` command, which lists the contents of the state.
struct StateListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        _superCommandName: "herald state",
        abstract: "List the contents of the state, one item per line.",
        discussion: """
            EXAMPLES
              herald state list
              herald state list --format json -e production

            Lists campaign definitions, occurrences with their counts, members by audience, \
            topic and status, the number of dead registrations, and the newest runs. Never \
            prints registrations.
            """
    )

    @OptionGroup var options: ProjectOptions
    @OptionGroup var environment: EnvironmentOptions

    @OptionGroup var output: FormatOptions<TextOrJSON>

    /// The maximum number of runs.
    ///
    /// `herald history` shows all.
    private static let runs = 20

    func run() async throws {
        try await options.reportingFailure {
            let state = try EnvironmentState(in: try Session(options), chosen: environment)
            let store = try await state.openOrFail()
            let reader = try await state.reader(of: store)
            let contents = try await mapStateErrors { () async throws(StateStoreError) in
                StateContents(
                    of: state.environment,
                    definitions: Array(
                        try await store.definitions(of: try await store.campaigns()).values
                    ),
                    overview: try await reader.overview(of: .all),
                    runs: try await store.runs(limit: Self.runs)
                )
            }
            Output.data(
                output.format == .json
                    ? contents.json() : options.outputStyle.folded(contents.text())
            )
        }
    }
}

extension EnvironmentState {
    func openOrFail() async throws(CommandFailure) -> any TableStore {
        guard let store = try await openIfThere() else {
            throw CommandFailure(.nothingApplied(in: environment))
        }
        return store
    }
}
