import Applying
import ArgumentParser
import CampaignModel
import Presentation
import RegistrationLists
import State
import StoreTables
import Time

/// The `herald history` command, which shows past runs.
struct HistoryCommand: AsyncParsableCommand {
    enum Format: String, OutputFormat {
        case text
        case json
        case ndjson
        case csv

        static let help: ArgumentHelp = "Output format. csv requires --join. (default: text)"
    }

    static let configuration = CommandConfiguration(
        commandName: "history",
        _superCommandName: "herald",
        abstract: "Show the runs that wrote to the state, newest first.",
        discussion: """
            EXAMPLES
              herald history
              herald history --format ndjson --limit 1000
              herald history 12
              herald history 12 --ids           FCM message IDs of campaigns with `record: ids`
              herald history 12 --join registrations/beta.csv --columns user,locale
                                                every request, with columns of your list
              herald history 12 --delivery      delivery on the emulator's devices
              herald history --head 31@HASH     check that this head is still in the history
              herald history --accept           accept the history as it is

            Shows the user, command, commit, CI run, reviewed plan and result of each run. With \
            the number of a run, also shows what the run sent and changed. Reads only the state, \
            without the lock.

            The history is verified first. If it was edited, this is reported before anything \
            else, and the exit code is 1.
            """
    )

    @OptionGroup var options: ProjectOptions
    @OptionGroup var environment: EnvironmentOptions

    @OptionGroup var output: FormatOptions<Format>

    @Option(help: "Number of runs to show.")
    var limit = 20

    @Flag(
        help: """
            Print only the message IDs of list sends, one per line, after the registration's \
            fingerprint, or after the position in the list if the list is no longer stored.
            """
    )
    var ids = false

    @Flag(
        help: """
            Show accepted, delivered and opened messages on the emulator's devices.
            """
    )
    var delivery = false

    @Option(
        help: ArgumentHelp(
            """
            Print every request to a list with columns of this list. Takes an audience or a CSV \
            or NDJSON file.
            """,
            valueName: "list"
        )
    )
    var join: String?

    @Option(help: ArgumentHelp("Columns of the list to show.", valueName: "a,b"))
    var columns: String?

    @Option(
        help: ArgumentHelp(
            "Exit with 1 if the history no longer contains this head.",
            valueName: "count@hash"
        )
    )
    var head: String?

    @Flag(
        help: """
            Accept the history as it is, even if this machine has seen a different one.
            """
    )
    var accept = false

    @Argument(help: "Number of a run.")
    var number: Int64?

    var format: Format { output.format }

    func validate() throws {
        guard limit >= 1 else { throw ValidationError("--limit must be at least 1") }
        guard number != nil || !ids else {
            throw ValidationError("--ids requires the number of a run")
        }
        guard number != nil || join == nil else {
            throw ValidationError("--join requires the number of a run")
        }
        guard number != nil || !delivery else {
            throw ValidationError("--delivery requires the number of a run")
        }
        guard !delivery || [.text, .json].contains(format) && join == nil && !ids else {
            throw ValidationError("--delivery cannot be combined with --ids, --join, csv or ndjson")
        }
        guard !ids || format == .text && join == nil else {
            throw ValidationError("--ids cannot be combined with --format or --join")
        }
        guard columns == nil || join != nil else {
            throw ValidationError("--columns requires --join")
        }
        guard format != .csv || join != nil else {
            throw ValidationError("--format csv requires --join")
        }
        guard head.map({ ChainHead($0) != nil }) ?? true else {
            throw ValidationError("--head must be COUNT@HASH, as at the end of `herald history`")
        }
    }

    func run() async throws {
        try await options.reportingFailure {
            let state = try EnvironmentState(in: try Session(options), chosen: environment)
            guard let store = try await state.openIfThere() else { return try showMissing(state) }
            let verdict = try await mapStateErrors { () async throws(StateStoreError) in
                try await store.verifyHistory()
            }
            let isLost = try await warn(of: verdict, store: store, in: state)
            if let number {
                try await show(run: number, in: state, store: store, verdict: verdict)
            } else {
                try await show(runsOf: store, in: state, verdict: verdict)
            }
            guard verdict.isIntact, !isLost else { throw ExitReason.error.code }
        }
    }

    /// Reports edited history.
    ///
    /// Returns whether a head that was seen before is missing.
    private func warn(
        of verdict: ChainVerdict,
        store: any TableStore,
        in state: EnvironmentState
    ) async throws(CommandFailure) -> Bool {
        let isForPeople = format == .text && !ids && join == nil
        let view = ChainTextView(style: isForPeople ? options.outputStyle : options.errorStyle)
        let say = isForPeople ? Output.data : Output.message
        say(view.renderDifferences(verdict))
        let file = KnownStateFile(state.session.context.variables)
        let identity = try await mapStateErrors { () async throws(StateStoreError) in
            try await store.identity()
        }
        if accept { file.keep(identity, head: .at(verdict.head)) }
        let asked = head.flatMap { ChainHead($0) }
        let seen = file.head(of: identity.lineage)
        var isLost = false
        for head in Set([asked, seen].compactMap(\.self)) where try await isMissing(head, in: store)
        {
            isLost = true
            let hint = CommandHint(for: state.environment)
            say(view.render(missing: head, verdict: verdict, hint: head == seen ? hint : nil))
        }
        return isLost
    }

    private func isMissing(
        _ head: ChainHead,
        in store: any TableStore
    ) async throws(CommandFailure) -> Bool {
        try await mapStateErrors { () async throws(StateStoreError) in
            try await store.chainHead(at: head.count)
        } != head
    }

    func textView(_ state: EnvironmentState) -> HistoryTextView {
        HistoryTextView(
            style: options.outputStyle,
            now: state.session.clock.now(),
            hint: CommandHint(for: state.environment)
        )
    }

    private func showMissing(_ state: EnvironmentState) throws(CommandFailure) {
        guard number == nil else {
            throw CommandFailure(.noState(of: state.environment), exit: .usage)
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

extension HistoryCommand {
    private func show(
        run number: Int64,
        in state: EnvironmentState,
        store: any TableStore,
        verdict: ChainVerdict
    ) async throws(CommandFailure) {
        let reader = try await state.reader(of: store)
        let found = try await mapStateErrors { () async throws(StateStoreError) in
            try await reader.run(number)
        }
        guard let run = found else { throw try await noSuchRun(number, in: store) }
        if delivery { return try await showDelivery(of: run, in: state, reader: reader) }
        if ids { return try await showIDs(of: run, reader: reader) }
        if let join { return try await show(run, joinedWith: join, in: state, reader: reader) }
        let json = RunJSONView(verdict)
        switch format {
        case .text: Output.data(textView(state).render(run, verdict: verdict))
        case .json: Output.data(json.render(run))
        case .ndjson, .csv: json.forEachLine(of: run, write: Output.data)
        }
    }

    private func noSuchRun(
        _ number: Int64,
        in store: any TableStore
    ) async throws(CommandFailure) -> CommandFailure {
        let newest = try await mapStateErrors { () async throws(StateStoreError) in
            try await store.runs(limit: 1).first
        }
        return CommandFailure(.noRun(number, newest: newest?.id.number), exit: .usage)
    }

    private func showIDs(
        of run: RunOverview,
        reader: OverviewReader
    ) async throws(CommandFailure) {
        let all = run.sendings.compactMap(\.unit)
        let units = all.filter(\.keepsIDs)
        guard !units.isEmpty else {
            if all.contains(where: { $0.compacted != nil }) {
                throw CommandFailure(.compactedRun(run.run.id.number))
            }
            throw CommandFailure(.noMessageIDs(in: run.run.id.number))
        }
        for unit in units {
            try await mapStateErrors { () async throws(StateStoreError) in
                try await reader.forEachMessageID(of: unit) { message in
                    let who = message.fingerprint?.description ?? "#\(message.number + 1)"
                    Output.data("\(who) \(TextStyle.safe(message.id))\n")
                }
            }
        }
    }
}
