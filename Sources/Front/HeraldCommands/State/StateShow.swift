import ArgumentParser
import Applying
import Presentation
import State
import SQLiteStore

/// The `herald state show` command, which shows the state's records of one name.
struct StateShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show what the state knows of a campaign or an audience.",
        discussion: """
            EXAMPLES
              herald state show spring-tide-warning
              herald state show beta-anglers --format json

            Of a campaign its definition as it was last applied, and its sendings with their \
            counts; of an audience its members by topic and status.
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var environment: EnvironmentOptions

    @Option(help: "How it is written.")
    var format = Status.Format.text

    @Argument(help: "A campaign or an audience.")
    var name: String

    func run() async throws {
        try await options.reportingFailure {
            let state = try EnvironmentState(try Pipeline(options), environment)
            let store = try state.openOrFail()
            let reader = try state.reader(of: store)
            let (applied, overview) = try stating { () throws(StateStoreError) in
                (try store.appliedState(), try reader.overview())
            }
            guard
                let contents = StateContents(named: name, of: state.environment, applied, overview)
            else {
                throw CommandFailure(
                    "the state knows no campaign or audience `\(TextStyle.safe(name))`",
                    help: .didYouMean(name, StateContents.names(applied))
                        ?? "`herald state list` lists what it knows",
                    exit: .usage
                )
            }
            Output.data(format == .json ? contents.json() : contents.text())
        }
    }
}
