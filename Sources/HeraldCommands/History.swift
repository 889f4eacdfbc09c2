import ArgumentParser
import CampaignExecution
import CampaignModel
import CampaignReporting
import CampaignState
import SQLiteStore
import Scheduling

/// `herald history`: what the runs did.
struct History: AsyncParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text
        case json
    }

    static let configuration = CommandConfiguration(
        abstract: "Show the runs that wrote to the state, the newest first.",
        discussion: """
            With a run's number: what it sent and changed, and of whom it was refused or not \
            answered. Reads the state alone and needs no lock.

            EXAMPLES
              herald history
              herald history 12
              herald history 12 --ids    FCM's message ids, of campaigns with `record: ids`
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var environment: EnvironmentOptions

    @Option(help: "How it is written.")
    var format = Format.text

    @Option(help: "Show so many runs.")
    var limit = 20

    @Flag(
        help: """
            Only the ids of the messages to lists, a line each: the registration's fingerprint \
            (its place in the list where that is not stored any more) and the id.
            """
    )
    var ids = false

    @Argument(help: "The number of a run.")
    var number: Int64?

    func validate() throws {
        guard limit >= 1 else { throw ValidationError("--limit is at least 1") }
        guard ids else { return }
        guard number != nil else { throw ValidationError("--ids is of one run: give its number") }
        guard format == .text else {
            throw ValidationError("--ids writes lines: leave --format out")
        }
    }

    func run() async throws {
        try await options.reportingFailure {
            let state = try EnvironmentState(try Pipeline(options), environment)
            guard let store = try state.openIfThere() else { return try showMissing(state) }
            let reader = try state.reader(of: store)
            guard let number else { return try show(store, state) }
            let found = try stating { () throws(StateStoreError) in try reader.run(number) }
            guard let run = found else { throw try noSuchRun(number, store) }
            if ids { return try showIDs(run, reader) }
            switch format {
            case .text: Output.data(textView(state).render(run))
            case .json: Output.data(HistoryJSONView().render(run))
            }
        }
    }

    private func textView(_ state: EnvironmentState) -> HistoryTextView {
        HistoryTextView(
            style: options.outputStyle,
            now: state.pipeline.surroundings.clock.now()
        )
    }

    private func showMissing(_ state: EnvironmentState) throws(CommandFailure) {
        guard number == nil else {
            throw CommandFailure("there is no state of \(state.environment) yet", exit: .usage)
        }
        switch format {
        case .text: Output.data(textView(state).render([], isWriting: false))
        case .json: Output.data(HistoryJSONView().render([], isWriting: false))
        }
    }

    private func show(_ store: SQLiteStore, _ state: EnvironmentState) throws(CommandFailure) {
        let (runs, isWriting) = try stating { () throws(StateStoreError) in
            // Asked first: a run that ends in between has ended.
            let isWriting = try store.currentWriter() != .nobody
            return (try store.runs(limit: limit), isWriting)
        }
        switch format {
        case .text: Output.data(textView(state).render(runs, isWriting: isWriting))
        case .json: Output.data(HistoryJSONView().render(runs, isWriting: isWriting))
        }
    }

    private func noSuchRun(
        _ number: Int64,
        _ store: SQLiteStore
    ) throws(CommandFailure) -> CommandFailure {
        let newest = try stating { () throws(StateStoreError) in try store.runs(limit: 1).first }
        return CommandFailure(
            "there is no run \(number)",
            help: newest.map { "the newest is \($0.id.number)" } ?? "there is none at all yet",
            exit: .usage
        )
    }

    private func showIDs(_ run: RunOverview, _ reader: OverviewReader) throws(CommandFailure) {
        let all = run.sendings.compactMap(\.unit)
        let units = all.filter(\.keepsIDs)
        guard !units.isEmpty else {
            if all.contains(where: { $0.compacted != nil }) {
                throw CommandFailure(
                    "what run \(run.run.id.number) sent was compacted: no id is left"
                )
            }
            throw CommandFailure(
                "run \(run.run.id.number) recorded no ids of messages to lists",
                help: "they are kept of campaigns that say `record: ids` when they are sent"
            )
        }
        for unit in units {
            try stating { () throws(StateStoreError) in
                try reader.forEachMessageID(of: unit) { message in
                    let who = message.fingerprint?.description ?? "#\(message.number + 1)"
                    Output.data("\(who) \(TextStyle.safe(message.id))\n")
                }
            }
        }
    }
}
