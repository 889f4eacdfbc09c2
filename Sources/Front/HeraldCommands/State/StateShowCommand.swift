import Applying
import ArgumentParser
import CampaignModel
import Presentation
import State
import StoreTables

/// The `herald state show` command, which shows the state's records of one name.
struct StateShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        _superCommandName: "herald state",
        abstract: "Show a campaign or an audience in the state.",
        discussion: """
            EXAMPLES
              herald state show spring-tide-warning
              herald state show beta-anglers --format json

            For a campaign, shows the definition that was last applied, and the occurrences with \
            their counts. For an audience, shows the members by topic and status.
            """
    )

    @OptionGroup var options: ProjectOptions
    @OptionGroup var environment: EnvironmentOptions

    @OptionGroup var output: FormatOptions<TextOrJSON>

    @Argument(help: "Campaign or audience.")
    var name: String

    func run() async throws {
        try await options.reportingFailure {
            let state = try EnvironmentState(in: try Session(options), chosen: environment)
            let store = try await state.openOrFail()
            let reader = try await state.reader(of: store)
            let campaigns = Set([CampaignID(name)].compactMap(\.self))
            let (definitions, overview) = try await mapStateErrors {
                () async throws(StateStoreError) in
                (
                    try await store.definitions(of: campaigns),
                    try await reader.overview(of: .of(campaigns))
                )
            }
            let contents = StateContents(
                named: name,
                of: state.environment,
                definition: definitions.values.first,
                overview: overview
            )
            guard let contents else { throw try await unknown(overview, in: store) }
            Output.data(
                output.format == .json
                    ? contents.json() : options.outputStyle.folded(contents.text())
            )
        }
    }

    private func unknown(
        _ overview: StateOverview,
        in store: any TableStore
    ) async throws(CommandFailure) -> CommandFailure {
        let campaigns = try await mapStateErrors { () async throws(StateStoreError) in
            try await store.campaigns()
        }
        let names = campaigns.map(\.rawValue) + overview.memberships.map(\.audience.rawValue)
        return CommandFailure(.unknownInState(name, among: Set(names).sorted()), exit: .usage)
    }
}
