import Applying
import ArgumentParser
import CampaignModel
import Presentation
import SQLiteStore
import State
import Time

/// The `herald status` command, which summarises an environment's state.
struct Status: AsyncParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text
        case json
    }

    static let configuration = CommandConfiguration(
        abstract: "Show scheduled, active, held and unknown sends.",
        discussion: """
            EXAMPLES
              herald status
              herald status spring-tide-warning --all
              herald status -e staging --format json

            Reads only the state, without campaign files, FCM or the lock, even during an apply. \
            Lists unknown outcomes and how to resolve them. Always exits with 0, even if nothing \
            was applied yet. `herald apply` exits with 4 if unknown outcomes remain.
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var environment: EnvironmentOptions

    @Option(help: "Output format.")
    var format = Format.text

    @Flag(help: "List all unknown requests.")
    var all = false

    @Argument(help: "Show only these campaigns.", completion: .campaigns)
    var campaigns: [String] = []

    /// The number of unknown requests to show per occurrence without `--all`.
    static let named = 10

    func run() async throws {
        try await options.reportingFailure {
            let session = try Session(options)
            let state = try EnvironmentState(session, environment)
            guard let store = try state.openIfThere() else { return try showMissing(state) }
            let applied = try mapStateErrors { () throws(StateStoreError) in
                try store.appliedState()
            }
            var chosen: Set<CampaignID> = []
            for name in campaigns { chosen.insert(try state.campaign(name, applied)) }
            try show(chosen, state, try state.reader(of: store))
        }
    }

    private func showMissing(_ state: EnvironmentState) throws {
        let now = state.session.context.clock.now()
        switch format {
        case .text:
            StatusTextView(style: options.outputStyle, now: now, named: nil, write: Output.data)
                .renderMissing(state.environment)
        case .json:
            let view = StatusJSONView(now: now, named: nil)
            Output.data(try view.render(nil, of: state.environment) { _, _ in })
        }
    }

    private func show(
        _ campaigns: Set<CampaignID>,
        _ state: EnvironmentState,
        _ reader: OverviewReader
    ) throws(CommandFailure) {
        let now = state.session.context.clock.now()
        let named = all ? nil : Self.named
        try mapStateErrors { () throws(StateStoreError) in
            let overview = try reader.overview(of: campaigns)
            switch format {
            case .text:
                let view = StatusTextView(
                    style: options.outputStyle,
                    now: now,
                    hint: CommandHint(for: state.environment),
                    named: named,
                    write: Output.data
                )
                try view.render(overview, of: state.environment, reader.forEachUnknown)
            case .json:
                let view = StatusJSONView(now: now, named: named)
                Output.data(
                    try view.render(overview, of: state.environment, reader.forEachUnknown)
                )
            }
        }
    }
}
