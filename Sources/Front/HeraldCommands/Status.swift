import ArgumentParser
import Applying
import CampaignModel
import Presentation
import State
import SQLiteStore
import Time

/// The `herald status` command, which summarises an environment's state.
struct Status: AsyncParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text
        case json
    }

    static let configuration = CommandConfiguration(
        abstract: "Show what is scheduled, under way, held, or not known.",
        discussion: """
            EXAMPLES
              herald status
              herald status spring-tide-warning --all
              herald status -e staging --format json

            Reads the state alone: no campaign, no FCM, no lock; also while an apply is at work. \
            Names what nobody knows the outcome of, and the way out of it. Ends with 0 whatever it \
            finds, also where nothing was applied yet; `herald apply` ends with 4 where unknown \
            outcomes remain. Documentation/Operations/Ledger.md tells more.
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var environment: EnvironmentOptions

    @Option(help: "How it is written.")
    var format = Format.text

    @Flag(help: "Name every unknown request, however many.")
    var all = false

    @Argument(help: "Only the sendings of these campaigns.", completion: .campaigns)
    var campaigns: [String] = []

    /// The number of unknown requests to show per occurrence without `--all`.
    static let named = 10

    func run() async throws {
        try await options.reportingFailure {
            let pipeline = try Pipeline(options)
            let state = try EnvironmentState(pipeline, environment)
            guard let store = try state.openIfThere() else { return try showMissing(state) }
            let applied = try stating { () throws(StateStoreError) in try store.appliedState() }
            var chosen: Set<CampaignID> = []
            for name in campaigns { chosen.insert(try state.campaign(name, applied)) }
            try show(chosen, state, try state.reader(of: store))
        }
    }

    private func showMissing(_ state: EnvironmentState) throws {
        let now = state.pipeline.surroundings.clock.now()
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
        let now = state.pipeline.surroundings.clock.now()
        let named = all ? nil : Self.named
        try stating { () throws(StateStoreError) in
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
