import Applying
import ArgumentParser
import Presentation
import SQLiteStore
import State

/// The `herald state show` command, which shows the state's records of one name.
struct StateShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a campaign or an audience in the state.",
        discussion: """
            EXAMPLES
              herald state show spring-tide-warning
              herald state show beta-anglers --format json

            For a campaign, shows the definition that was last applied, and the occurrences with \
            their counts. For an audience, shows the members by topic and status.
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var environment: EnvironmentOptions

    @Option(help: "Output format.")
    var format = Status.Format.text

    @Argument(help: "Campaign or audience.")
    var name: String

    func run() async throws {
        try await options.reportingFailure {
            let state = try EnvironmentState(try Session(options), environment)
            let store = try state.openOrFail()
            let reader = try state.reader(of: store)
            let (applied, overview) = try mapStateErrors { () throws(StateStoreError) in
                (try store.appliedState(), try reader.overview())
            }
            guard
                let contents = StateContents(named: name, of: state.environment, applied, overview)
            else {
                throw CommandFailure(
                    "the state has no campaign or audience `\(TextStyle.safe(name))`",
                    help: .didYouMean(name, StateContents.names(applied))
                        ?? "list its contents with `herald state list`",
                    exit: .usage
                )
            }
            Output.data(format == .json ? contents.json() : contents.text())
        }
    }
}
