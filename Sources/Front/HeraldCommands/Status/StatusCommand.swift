import Applying
import ArgumentParser
import CampaignModel
import Presentation
import State
import Time

/// The `herald status` command, which summarises an environment's state.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        _superCommandName: "herald",
        abstract: "Show scheduled, active, held and unknown sends.",
        discussion: """
            EXAMPLES
              herald status
              herald status spring-tide-warning --all
              herald status -e staging --format json
              herald status -e production --watch    rates, lag and workers, every 2 s

            Reads only the state, without campaign files, FCM or the lock, even during an apply. \
            Lists unknown outcomes and how to resolve them, and the workers that send from a state \
            in PostgreSQL. Always exits with 0, even if nothing \
            was applied yet. `herald apply` exits with 4 if unknown outcomes remain.
            """
    )

    @OptionGroup var options: ProjectOptions
    @OptionGroup var environment: EnvironmentOptions

    @OptionGroup var output: FormatOptions<TextOrJSON>

    @Flag(help: "List all unknown requests.")
    var all = false

    @Flag(help: "Show the status every 2 seconds, with rates.")
    var watch = false

    @Argument(help: "Show only these campaigns.", completion: .campaigns)
    var campaigns: [String] = []

    /// The number of unknown requests to show per occurrence without `--all`.
    static let named = 10

    private var format: TextOrJSON { output.format }

    func validate() throws {
        guard watch, format == .json else { return }
        throw ValidationError("--watch cannot be combined with --format json or --json")
    }

    func run() async throws {
        try await options.reportingFailure {
            let session = try Session(options)
            let state = try EnvironmentState(in: session, chosen: environment)
            if watch {
                return try await StatusWatch(
                    state: state,
                    options: options,
                    campaigns: campaigns,
                    named: all ? nil : Self.named
                ).run()
            }
            guard let store = try await state.openIfThere() else {
                return try await showMissing(state)
            }
            var chosen: Set<CampaignID> = []
            for name in campaigns { chosen.insert(try await state.campaign(name, in: store)) }
            try await show(chosen, in: state, reader: try await state.reader(of: store))
        }
    }

    private func showMissing(_ state: EnvironmentState) async throws {
        let now = state.session.clock.now()
        switch format {
        case .text:
            StatusTextView(style: options.outputStyle, now: now, named: nil, write: Output.data)
                .renderMissing(state.environment)
        case .json:
            let view = StatusJSONView(now: now, named: nil)
            Output.data(try await view.render(nil, of: state.environment) { _, _ in })
        }
    }

    private func show(
        _ campaigns: Set<CampaignID>,
        in state: EnvironmentState,
        reader: OverviewReader
    ) async throws(CommandFailure) {
        let now = state.session.clock.now()
        let named = all ? nil : Self.named
        try await mapStateErrors { () async throws(StateStoreError) in
            switch format {
            case .text:
                // For settled occurrences, the text contains only their number.
                let selection = campaigns.isEmpty ? .unsettled : OccurrenceSelection.of(campaigns)
                let overview = try await reader.overview(of: selection)
                let view = StatusTextView(
                    style: options.outputStyle,
                    now: now,
                    hint: CommandHint(for: state.environment),
                    named: named,
                    write: Output.data
                )
                try await view.render(
                    overview,
                    of: state.environment,
                    unknowns: reader.forEachUnknown
                )
            case .json:
                let selection = campaigns.isEmpty ? .all : OccurrenceSelection.of(campaigns)
                let overview = try await reader.overview(of: selection)
                let view = StatusJSONView(now: now, named: named)
                Output.data(
                    try await view.render(
                        overview,
                        of: state.environment,
                        unknowns: reader.forEachUnknown
                    )
                )
            }
        }
    }
}
