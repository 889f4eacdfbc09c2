import Applying
import ArgumentParser
import CampaignMessages
import CampaignModel
import Planning
import Presentation
import RegistrationLists
import RunControl
import State
import StoreTables
import Text
import Time

/// The `herald resolve` command, which resolves unknown outcomes by a person's decision.
struct ResolveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        _superCommandName: "herald",
        abstract: "Resolve the unknown outcomes of an occurrence.",
        discussion: """
            EXAMPLES
              herald resolve spring-tide-warning sent
              herald resolve catch-log/once/2 resend --yes

            sent    count them as accepted
            resend  send them again with the next apply
            drop    give them up

            Name the occurrence as `herald status` prints it: campaign/slot/revision. The \
            campaign is enough if only one of its occurrences has unknown outcomes. Shows what \
            will happen and asks for confirmation.

            If another run holds the lock, that run performs the resolution before it exits. The \
            exit code is 5 if more outcomes have become unknown since then.
            """
    )

    @OptionGroup var options: ProjectOptions
    @OptionGroup var environment: EnvironmentOptions

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    @Flag(help: "Never ask for confirmation. Fails if --yes is missing.")
    var noInput = false

    @Argument(
        help: "Occurrence (campaign/slot/revision) or campaign.",
        completion: .campaigns
    )
    var occurrence: String

    @Argument(help: "What to do with its unknown outcomes.")
    var resolution: Resolution

    func run() async throws {
        try await options.reportingFailure {
            let session = try Session(options)
            let state = try EnvironmentState(in: session, chosen: environment)
            guard let store = try await state.openIfThere() else {
                throw CommandFailure(.nothingSent(in: state.environment))
            }
            try await session.notingSerial(of: store) { try await resolve(in: state, store: store) }
        }
    }

    private func resolve(
        in state: EnvironmentState,
        store: any TableStore
    ) async throws(CommandFailure) {
        let reader = try await state.reader(of: store)
        let now = state.session.clock.now()
        let view = ResolutionTextView(
            style: options.outputStyle,
            now: now,
            hint: CommandHint(for: state.environment)
        )
        let found = try await find(in: reader, store: store)
        try await check(found, in: store, view: view, at: now)
        Output.data(try await preview(found, reader: reader, in: store, view: view))
        try confirm(in: state.destination)
        try await settle(found, in: store, view: view, at: now)
    }

    private func confirm(in destination: PlanDestination?) throws(CommandFailure) {
        guard !yes else { return }
        guard !noInput, Input.isTerminal else {
            throw CommandFailure(
                .unconfirmed(isInputDisabled: noInput, for: .resolving),
                exit: .usage
            )
        }
        Output.message(ConfirmationWording.question(ConfirmationWording.yes, in: destination))
        guard Input.line() == "yes" else { throw CommandFailure(.nothingChanged) }
    }

    private func preview(
        _ found: OccurrenceOverview,
        reader: OverviewReader,
        in store: any TableStore,
        view: ResolutionTextView
    ) async throws(CommandFailure) -> String {
        try await mapStateErrors { () async throws(StateStoreError) in
            var problems: [SendProblem] = []
            try await reader.forEachUnknown(of: found) { problem in
                problems.append(problem)
                return problems.count < StatusCommand.named
            }
            let message = try await store.occurrence(found.id)?.message
            return view.render(
                found,
                resolution: resolution,
                problems: problems,
                effect: message.flatMap(MessageTemplate.init(stored:)).map(RepeatEffect.init)
            )
        }
    }
}

// MARK: - Finding the occurrence

extension ResolveCommand {
    private func find(
        in reader: OverviewReader,
        store: any TableStore
    ) async throws(CommandFailure) -> OccurrenceOverview {
        let campaign = CampaignID(String(occurrence.prefix { $0 != "/" }))
        let overview = try await mapStateErrors { () async throws(StateStoreError) in
            try await reader.overview(of: .of(campaign.map { [$0] } ?? []))
        }
        let ofCampaign = overview.occurrences
        if let found = ofCampaign.first(where: { $0.id.description == occurrence }) {
            return found
        }
        let open = ofCampaign.filter(\.isResolvable)
        let isCampaign = campaign?.rawValue == occurrence
        if isCampaign, open.count == 1 { return open[0] }
        guard ofCampaign.isEmpty || !isCampaign else { throw ambiguous(open.map(\.id)) }
        let known = try await namesLike(occurrence, in: store)
        throw CommandFailure(.unknownOccurrence(occurrence, among: known), exit: .usage)
    }

    /// Campaigns that were sent or scheduled, and the occurrences of the one that is named or
    /// nearest.
    private func namesLike(
        _ text: String,
        in store: any TableStore
    ) async throws(CommandFailure) -> [String] {
        let campaigns = try await mapStateErrors { () async throws(StateStoreError) in
            try await store.campaigns()
        }
        let names = campaigns.map(\.rawValue).sorted()
        let name = String(text.prefix { $0 != "/" })
        let near = names.contains(name) ? name : SpellingSuggestion.nearest(to: name, among: names)
        guard let campaign = near.flatMap(CampaignID.init) else { return names }
        let occurrences = try await mapStateErrors { () async throws(StateStoreError) in
            try await store.occurrences(.of([campaign]))
        }
        return names + occurrences.map(\.id.description)
    }

    private func ambiguous(_ open: [OccurrenceID]) -> CommandFailure {
        guard !open.isEmpty else {
            return CommandFailure(.nothingToResolve(in: occurrence))
        }
        let names = open.map { TextStyle.safe($0.description) }.joined(separator: ", ")
        return CommandFailure(.severalOccurrences(of: occurrence, names: names), exit: .usage)
    }

    /// Refuses a resolution that would have no effect, or a different one than requested.
    private func check(
        _ found: OccurrenceOverview,
        in store: any TableStore,
        view: ResolutionTextView,
        at now: Instant
    ) async throws(CommandFailure) {
        let name = TextStyle.safe(found.id.description)
        guard found.isResolvable else { throw CommandFailure(.noUnknownOutcomes(of: name)) }
        guard found.counts.unknown > 0 || resolution == .resend else {
            throw CommandFailure(.onlyHeld(name))
        }
        let requested = try await mapStateErrors { () async throws(StateStoreError) in
            try await store.requestedResolutions()
        }
        if let asked = requested.first(where: { $0.occurrence == found.id }) {
            throw CommandFailure(.alreadyRequested(name, author: view.author(asked)))
        }
        guard resolution == .resend else { return }
        let (record, definition) = try await mapStateErrors { () async throws(StateStoreError) in
            (
                try await store.occurrence(found.id),
                try await store.definition(of: found.id.campaign)
            )
        }
        if let record, record.isOver(at: now) {
            throw CommandFailure(.expiredMessage(of: name))
        }
        if case .registrations(let list)? = found.unit?.target, try await !isStored(list, in: store)
        {
            throw CommandFailure(.listNotStored(of: name))
        }
        guard definition != nil else {
            throw CommandFailure(.campaignNotInFiles(of: name))
        }
    }
}

extension ResolveCommand {
    private func isStored(
        _ list: ListID,
        in store: any TableStore
    ) async throws(CommandFailure) -> Bool {
        try await mapStateErrors { () async throws(StateStoreError) in try await store.hasList(list)
        }
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

// MARK: - Resolving

extension ResolveCommand {
    /// The time to wait for a lock that another process holds only briefly.
    private static let patience = Duration.milliseconds(300)

    private func settle(
        _ found: OccurrenceOverview,
        in store: any TableStore,
        view: ResolutionTextView,
        at now: Instant
    ) async throws(CommandFailure) {
        let command = "herald resolve \(found.id) \(resolution.name)"
        let worker = Worker.this(
            command: command,
            since: now,
            origin: .of(options.directory, variables: CommandContext.current.variables)
        )
        do throws(StateStoreError) {
            try await store.lock(for: worker, waiting: Self.patience)
        } catch {
            guard case .locked(let holder) = error else { throw CommandFailure(ErrorText(error)) }
            guard found.phase != .underWay else {
                throw CommandFailure(.occurrenceUnderWay(found.id))
            }
            let asked = asked(about: found, by: worker)
            return try await ask(for: asked, in: store, of: holder, view: view)
        }
        try await unlocking(store) { () async throws(CommandFailure) in
            try await perform(asked(about: found, by: worker), in: store, view: view, by: worker)
        }
    }

    private func asked(about found: OccurrenceOverview, by worker: Worker) -> RequestedResolution {
        RequestedResolution(
            occurrence: found.id,
            resolution: resolution,
            unknown: found.counts.unknown,
            user: worker.user,
            host: worker.host,
            at: worker.since
        )
    }

    /// `holder`: the process that holds the lock, which performs the resolution.
    private func ask(
        for asked: RequestedResolution,
        in store: any TableStore,
        of holder: Worker?,
        view: ResolutionTextView
    ) async throws(CommandFailure) {
        let isTaken = try await mapStateErrors { () async throws(StateStoreError) in
            try await store.request(asked)
        }
        guard isTaken else { throw changed(asked.occurrence) }
        Output.data(view.renderAsked(asked.occurrence, of: holder))
    }

    /// Performs the resolution, after marking requests of an interrupted run as unknown.
    private func perform(
        _ asked: RequestedResolution,
        in store: any TableStore,
        view: ResolutionTextView,
        by worker: Worker
    ) async throws(CommandFailure) {
        let done = try await mapStateErrors {
            () async throws(StateStoreError) -> PerformedResolution? in
            let key = try await store.identity().fingerprintKey
            let recorder = OccurrenceRecorder(
                store: store,
                fingerprinter: Fingerprinter(key: key)
            )
            _ = try await recorder.settleAfterCrash(by: worker)
            let unit = try await store.occurrence(asked.occurrence)?.unit
            guard unit?.tally[.unknown] == asked.unknown else { return nil }
            return try await recorder.perform([asked], by: worker).first
        }
        guard let done, done.isDone else { throw changed(asked.occurrence) }
        Output.data(view.renderDone(asked.occurrence, changed: done.changed))
    }

    private func changed(_ occurrence: OccurrenceID) -> CommandFailure {
        CommandFailure(.outcomesChanged(of: occurrence), exit: .stalePlan)
    }
}

extension Resolution: ExpressibleByArgument {
    /// Parses the name used on the command line.
    public init?(argument: String) {
        guard let found = Self.allCases.first(where: { $0.name == argument }) else { return nil }
        self = found
    }

    /// All names, in the order of the help.
    public static var allValueStrings: [String] { allCases.map(\.name) }
}
