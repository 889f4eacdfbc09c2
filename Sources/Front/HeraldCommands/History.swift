import ArgumentParser
import Applying
import CampaignModel
import Presentation
import State
import RegistrationLists
import SQLiteStore
import Time

/// The `herald history` command, which shows past runs.
struct History: AsyncParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text
        case json
        case ndjson
        case csv
    }

    static let configuration = CommandConfiguration(
        abstract: "Show the runs that wrote to the state, the newest first.",
        discussion: """
            EXAMPLES
              herald history
              herald history --format ndjson --limit 1000
              herald history 12
              herald history 12 --ids           FCM's ids, of campaigns with `record: ids`
              herald history 12 --join registrations/beta.csv --columns user,locale
                                                every request with your own columns
              herald history 12 --delivery      what the phones made of it
              herald history --head 31@HASH     is what was seen of it before still in it?
              herald history --accept           it is right, whatever was seen here

            Who ran what, from which commit, in which CI run, by which reviewed plan, and what became \
            of it; with a run's number also what it sent and changed. Whether all of that is what \
            was written is looked at first: where it was edited, that is said before anything else, \
            and the command ends with 1. Reads the state alone and needs no lock.
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var environment: EnvironmentOptions

    @Option(help: "How it is written; csv only with --join.")
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

    @Flag(
        help: """
            What became of the run's messages on the emulator's devices: accepted, delivered, opened.
            """
    )
    var delivery = false

    @Option(
        help: ArgumentHelp(
            """
            Every request of the run to lists, with what this list says of its registration: an \
            audience's name, or a CSV or NDJSON file.
            """,
            valueName: "list"
        )
    )
    var join: String?

    @Option(help: ArgumentHelp("The columns of the list to show.", valueName: "a,b"))
    var columns: String?

    @Option(
        help: ArgumentHelp(
            "Ends with 1 where the history does not have this head any more, of an earlier look.",
            valueName: "count@hash"
        )
    )
    var head: String?

    @Flag(
        help: """
            Take the history as it is, also where it is not the one that was seen on this machine.
            """
    )
    var accept = false

    @Argument(help: "The number of a run.")
    var number: Int64?

    func validate() throws {
        guard limit >= 1 else { throw ValidationError("--limit is at least 1") }
        guard number != nil || !ids else {
            throw ValidationError("--ids is of one run: give its number")
        }
        guard number != nil || join == nil else {
            throw ValidationError("--join is of one run: give its number")
        }
        guard number != nil || !delivery else {
            throw ValidationError("--delivery is of one run: give its number")
        }
        guard !delivery || [.text, .json].contains(format) && join == nil && !ids else {
            throw ValidationError("--delivery writes text or json: leave --ids and --join out")
        }
        guard !ids || format == .text && join == nil else {
            throw ValidationError("--ids writes lines: leave --format and --join out")
        }
        guard columns == nil || join != nil else {
            throw ValidationError("--columns are those of a list: name it with --join")
        }
        guard format != .csv || join != nil else {
            throw ValidationError("only --join writes a CSV")
        }
        guard head.map({ ChainHead($0) != nil }) ?? true else {
            throw ValidationError("--head is COUNT@HASH, as `herald history` ends with it")
        }
    }

    func run() async throws {
        try await options.reportingFailure {
            let state = try EnvironmentState(try Pipeline(options), environment)
            guard let store = try state.openIfThere() else { return try showMissing(state) }
            let verdict = try stating { () throws(StateStoreError) in try store.verifyHistory() }
            let isLost = try warn(verdict, store, state)
            if let number {
                try await show(number, state, store, verdict)
            } else {
                try show(store, state, verdict)
            }
            guard verdict.isIntact, !isLost else { throw ExitReason.error.code }
        }
    }

    /// Reports edited history.
    ///
    /// Returns whether a head that was seen before is missing.
    private func warn(
        _ verdict: ChainVerdict,
        _ store: SQLiteStore,
        _ state: EnvironmentState
    ) throws(CommandFailure) -> Bool {
        let isForPeople = format == .text && !ids && join == nil
        let view = ChainTextView(style: isForPeople ? options.outputStyle : options.errorStyle)
        let say = isForPeople ? Output.data : Output.message
        say(view.renderDifferences(verdict))
        let file = SeenFile(state.pipeline.surroundings.variables)
        let identity = try stating { () throws(StateStoreError) in try store.identity() }
        if accept { file.keep(identity, .at(verdict.head)) }
        let asked = head.flatMap { ChainHead($0) }
        let seen = file.head(of: identity.lineage)
        var isLost = false
        for head in Set([asked, seen].compactMap(\.self)) where try isMissing(head, store) {
            isLost = true
            let hint = CommandHint(for: state.environment)
            say(view.render(missing: head, verdict, head == seen ? hint : nil))
        }
        return isLost
    }

    private func isMissing(
        _ head: ChainHead,
        _ store: SQLiteStore
    ) throws(CommandFailure) -> Bool {
        try stating { () throws(StateStoreError) in try store.chainHead(at: head.count) } != head
    }

    func textView(_ state: EnvironmentState) -> HistoryTextView {
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
        case .text: Output.data(HistoryTextView.nothing)
        case .json:
            let view = HistoryJSONView(nil)
            Output.data(view.listHead + view.listEnd(isEmpty: true))
        case .ndjson, .csv: break
        }
    }
}

// MARK: - One run

extension History {
    private func show(
        _ number: Int64,
        _ state: EnvironmentState,
        _ store: SQLiteStore,
        _ verdict: ChainVerdict
    ) async throws(CommandFailure) {
        let reader = try state.reader(of: store)
        let found = try stating { () throws(StateStoreError) in try reader.run(number) }
        guard let run = found else { throw try noSuchRun(number, store) }
        if delivery { return try await showDelivery(run, state, reader) }
        if ids { return try showIDs(run, reader) }
        if let join { return try show(run, joinedWith: join, state, reader) }
        let json = HistoryJSONView(verdict)
        switch format {
        case .text: Output.data(textView(state).render(run, verdict))
        case .json: Output.data(json.render(run))
        case .ndjson, .csv: json.forEachLine(of: run, Output.data)
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
