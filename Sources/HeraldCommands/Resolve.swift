import ArgumentParser
import CampaignExecution
import CampaignMessages
import CampaignModel
import CampaignReporting
import CampaignState
import Registrations
import SQLiteStore
import Scheduling

/// `herald resolve`: a person settles what nobody can know.
struct Resolve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Settle the unknown outcomes of a sending.",
        discussion: """
            EXAMPLES
              herald resolve spring-tide-warning sent
              herald resolve catch-log/once/2 resend --yes

            sent    they count as accepted
            resend  they are sent again with the next apply
            drop    they are given up

            The sending is named as `herald status` prints it, campaign/slot/revision; the \
            campaign alone is enough where only one of its sendings has unknown outcomes. Shows \
            what will happen and asks. While somebody is writing the state he is asked to do it, \
            and does it before he ends. Ends with 5 where others became unknown meanwhile.
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var environment: EnvironmentOptions

    @Flag(help: "Don't ask.")
    var yes = false

    @Flag(help: "Never ask: without --yes, end with an error instead.")
    var noInput = false

    @Argument(
        help: "Which sending: campaign/slot/revision, or a campaign.",
        completion: .campaigns
    )
    var occurrence: String

    @Argument(help: "What becomes of its unknown outcomes.")
    var resolution: Resolution

    func run() async throws {
        try await options.reportingFailure {
            let pipeline = try Pipeline(options)
            let state = try EnvironmentState(pipeline, environment)
            guard let store = try state.openIfThere() else {
                throw CommandFailure(
                    "there is no state of \(state.environment) yet: nothing was sent"
                )
            }
            defer { pipeline.noteSerial(of: store) }
            let reader = try state.reader(of: store)
            let now = pipeline.surroundings.clock.now()
            let view = ResolutionTextView(
                style: options.outputStyle,
                now: now,
                hint: CommandHint(for: state.environment)
            )
            let found = try find(in: reader, store)
            try check(found, store, view, at: now)
            Output.data(try preview(found, reader, store, view))
            try confirm()
            try await settle(found, store, view, at: now)
        }
    }

    private func confirm() throws(CommandFailure) {
        guard !yes else { return }
        guard !noInput, Surroundings.isInputTerminal else {
            throw CommandFailure(
                "nobody is there to say yes",
                help: "give --yes to resolve without asking",
                exit: .usage
            )
        }
        Output.message("Do it? Only `yes` is taken: ")
        guard readLine() == "yes" else { throw CommandFailure("nothing was changed") }
    }

    private func preview(
        _ found: OccurrenceOverview,
        _ reader: OverviewReader,
        _ store: SQLiteStore,
        _ view: ResolutionTextView
    ) throws(CommandFailure) -> String {
        try stating { () throws(StateStoreError) in
            var problems: [SendProblem] = []
            try reader.forEachUnknown(of: found) { problem in
                problems.append(problem)
                return problems.count < Status.named
            }
            let message = try store.appliedState().occurrences[found.id]?.message
            return view.render(
                found,
                resolution,
                problems,
                effect: message.flatMap(MessageTemplate.init(stored:)).map(RepeatEffect.init)
            )
        }
    }
}

// MARK: - Which sending

extension Resolve {
    private func find(
        in reader: OverviewReader,
        _ store: SQLiteStore
    ) throws(CommandFailure) -> OccurrenceOverview {
        let overview = try stating { () throws(StateStoreError) in try reader.overview() }
        if let found = overview.occurrences.first(where: { $0.id.description == occurrence }) {
            return found
        }
        let ofCampaign = overview.occurrences.filter { $0.id.campaign.rawValue == occurrence }
        let open = ofCampaign.filter(\.isResolvable)
        if open.count == 1 { return open[0] }
        guard ofCampaign.isEmpty else { throw ambiguous(open.map(\.id)) }
        let known = overview.occurrences.flatMap {
            [$0.id.description, $0.id.campaign.rawValue]
        }
        throw CommandFailure(
            "there is no sending `\(TextStyle.safe(occurrence))`",
            help: .didYouMean(occurrence, known) ?? "`herald status` lists them",
            exit: .usage
        )
    }

    private func ambiguous(_ open: [OccurrenceID]) -> CommandFailure {
        guard !open.isEmpty else {
            return CommandFailure("nothing of \(TextStyle.safe(occurrence)) is unknown or held")
        }
        let names = open.map { TextStyle.safe($0.description) }.joined(separator: ", ")
        return CommandFailure(
            "several sendings of \(TextStyle.safe(occurrence)) have unknown outcomes",
            help: "say which: \(names)",
            exit: .usage
        )
    }

    /// Refuses what would do nothing, or nothing of what was meant.
    private func check(
        _ found: OccurrenceOverview,
        _ store: SQLiteStore,
        _ view: ResolutionTextView,
        at now: Instant
    ) throws(CommandFailure) {
        let name = TextStyle.safe(found.id.description)
        guard found.isResolvable else { throw CommandFailure("nothing of \(name) is unknown") }
        guard found.counts.unknown > 0 || resolution == .resend else {
            throw CommandFailure(
                "nothing of \(name) is unknown: it is held",
                help: "`resend` lets it go on; take the campaign out to give the rest up"
            )
        }
        let applied = try stating { () throws(StateStoreError) in try store.appliedState() }
        if let asked = applied.resolutions.first(where: { $0.occurrence == found.id }) {
            throw CommandFailure(
                "\(name) is to be resolved already: \(view.author(asked))",
                help: "the run that is writing does it before it ends, else the next apply"
            )
        }
        guard resolution == .resend else { return }
        if let record = applied.occurrences[found.id], record.isOver(at: now) {
            throw CommandFailure(
                "the message of \(name) has outlived its time, so nothing would be sent",
                help: "settle it with `sent` or `drop`"
            )
        }
        if case .registrations(let list)? = found.unit?.target, try !isStored(list, store) {
            throw CommandFailure(
                "the list of \(name) is not stored any more, so nobody can be sent to",
                help: "settle it with `sent` or `drop`"
            )
        }
        guard applied.definitions[found.id.campaign] != nil else {
            throw CommandFailure(
                "the campaign of \(name) is gone from the files, so nothing would be sent",
                help: "settle it with `sent` or `drop`"
            )
        }
    }
}

extension Resolve {
    private func isStored(
        _ list: ListID,
        _ store: SQLiteStore
    ) throws(CommandFailure) -> Bool {
        try stating { () throws(StateStoreError) in try store.hasList(list) }
    }
}

extension OccurrenceRecord {
    fileprivate func isOver(at now: Instant) -> Bool {
        message.flatMap(MessageTemplate.init(stored:))?.isOver(at: now, due: due) ?? false
    }
}

extension OccurrenceOverview {
    fileprivate var isResolvable: Bool {
        if case .held = phase { return true }
        return counts.unknown > 0
    }
}

// MARK: - Doing it

extension Resolve {
    /// Long enough for whoever only looked who holds the lock.
    private static let patience = Duration.milliseconds(300)

    private func settle(
        _ found: OccurrenceOverview,
        _ store: SQLiteStore,
        _ view: ResolutionTextView,
        at now: Instant
    ) async throws(CommandFailure) {
        let command = "herald resolve \(found.id) \(resolution.name)"
        let worker = Worker.this(
            command: command,
            since: now,
            origin: .of(options.directory, try Surroundings.current().variables)
        )
        do throws(StateStoreError) {
            try await store.lock(for: worker, waiting: Self.patience)
        } catch {
            guard case .locked(let holder) = error else { throw CommandFailure(ErrorText(error)) }
            return try ask(found, store, view, holder, asked(found, worker))
        }
        defer { store.unlock() }
        try perform(asked(found, worker), store, view, by: worker)
    }

    private func asked(_ found: OccurrenceOverview, _ worker: Worker) -> RequestedResolution {
        RequestedResolution(
            occurrence: found.id,
            resolution: resolution,
            unknown: found.counts.unknown,
            user: worker.user,
            host: worker.host,
            at: worker.since
        )
    }

    private func ask(
        _ found: OccurrenceOverview,
        _ store: SQLiteStore,
        _ view: ResolutionTextView,
        _ holder: Worker?,
        _ asked: RequestedResolution
    ) throws(CommandFailure) {
        guard found.phase != .underWay else {
            throw CommandFailure(
                "\(TextStyle.safe(found.id.description)) is being sent, so what is unknown of it "
                    + "still changes",
                help: "wait for the end of that run, or stop it with `herald pause`"
            )
        }
        let isTaken = try stating { () throws(StateStoreError) in try store.request(asked) }
        guard isTaken else { throw changed(found.id) }
        Output.data(view.renderAsked(found.id, of: holder))
    }

    /// What somebody who is gone left open is unknown before anything else is.
    private func perform(
        _ asked: RequestedResolution,
        _ store: SQLiteStore,
        _ view: ResolutionTextView,
        by worker: Worker
    ) throws(CommandFailure) {
        let done = try stating { () throws(StateStoreError) -> PerformedResolution? in
            let key = try store.identity().fingerprintKey
            let ledger = Ledger(store: store, fingerprinter: Fingerprinter(key: key))
            _ = try ledger.settleAfterCrash(by: worker)
            let unit = try store.appliedState().occurrences[asked.occurrence]?.unit
            guard unit?.tally[.unknown] == asked.unknown else { return nil }
            return try ledger.perform([asked], by: worker).first
        }
        guard let done, done.isDone else { throw changed(asked.occurrence) }
        Output.data(view.renderDone(asked.occurrence, done.changed))
    }

    private func changed(_ occurrence: OccurrenceID) -> CommandFailure {
        CommandFailure(
            "what is unknown of \(TextStyle.safe(occurrence.description)) changed meanwhile",
            help: "look again with `herald status`",
            exit: .stalePlan
        )
    }
}

extension Resolution: ExpressibleByArgument {
    /// As it is written on the command line.
    public init?(argument: String) {
        guard let found = Self.allCases.first(where: { $0.name == argument }) else { return nil }
        self = found
    }

    /// In the order of the help.
    public static var allValueStrings: [String] { allCases.map(\.name) }
}
