import Applying
import CampaignLoading
import CampaignMessages
import CampaignModel
import Planning
import Presentation
import RegistrationLists
import RunControl
import Sending
import State
import Time

/// Finds an occurrence, shows what its recall does, and requests it.
struct RecallRequest {
    private let arguments: RecallCommand
    private let session: Session
    private let target: AppliedTarget
    private let view: RecallTextView
    private let now: Instant

    init(_ arguments: RecallCommand, session: Session, target: AppliedTarget) {
        self.arguments = arguments
        self.session = session
        self.target = target
        now = session.clock.now()
        view = RecallTextView(style: arguments.options.outputStyle, now: now)
    }

    /// Returns the occurrence whose recall is requested, now or earlier; nil with --plan.
    func make() async throws(CommandFailure) -> OccurrenceID? {
        let sent = try await find()
        let others = try await others(of: sent)
        let message = try await message(for: sent.id)
        let plan: RecallPlan
        do throws(RecallRefusal) {
            plan = try RecallPlan(sent, saying: message, among: others, at: now)
        } catch {
            // An interrupted recall resumes.
            if case .alreadyRequested(let recall) = error, recall.isOpen, !arguments.plan {
                return sent.id
            }
            throw CommandFailure(.notRecallable(sent.id, because: error, at: now))
        }
        Output.data(view.render(plan))
        guard !arguments.plan else { return nil }
        try confirm(sent.id)
        try await storeList(of: plan)
        try await request(plan)
        return sent.id
    }

    private func request(_ plan: RecallPlan) async throws(CommandFailure) {
        let worker = Worker.this(
            command: "herald recall \(plan.sent.id)",
            since: session.clock.now(),
            origin: .of(session.options.directory, variables: session.context.variables),
            bypasses: arguments.endpoint.bypasses
        )
        let recall = RequestedRecall(
            plan.sent.id,
            message: plan.template.stored,
            worker: worker
        )
        // False if another process has requested it since the plan was made: then this one waits for it.
        _ = try await mapStateErrors { () async throws(StateStoreError) in
            try await target.store.request(recall)
        }
    }

    private func confirm(_ id: OccurrenceID) throws(CommandFailure) {
        if let name = arguments.confirm {
            guard name == id.description else { throw CommandFailure(.notRecalled(id)) }
            return
        }
        if arguments.yes, !target.environment.settings.isProtected { return }
        guard !arguments.noInput, Input.isTerminal else {
            throw CommandFailure(
                .unconfirmedRecall(of: id, isInputDisabled: arguments.noInput),
                exit: .usage
            )
        }
        let destination = PlanDestination(
            target.environment,
            of: target.applied.project(with: [], devices: [])
        )
        let question = RecallTextView.question(id)
        Output.message(ConfirmationWording.question(question, in: destination))
        guard Input.line() == id.description else { throw CommandFailure(.notRecalled(id)) }
    }
}

// MARK: - Finding the occurrence

extension RecallRequest {
    private func find() async throws(CommandFailure) -> OccurrenceRecord {
        let text = arguments.occurrence
        let campaign = CampaignID(String(text.prefix { $0 != "/" }))
        let records = try await mapStateErrors { () async throws(StateStoreError) in
            try await target.store.occurrences(.of(campaign.map { [$0] } ?? []))
        }
        if let found = records.first(where: { $0.id.description == text }) { return found }
        let begun = records.filter { $0.unit != nil && $0.recall == nil }
        if text == campaign?.rawValue, let only = begun.first {
            guard begun.count == 1 else {
                let names = begun.map(\.id.description)
                throw CommandFailure(.severalRecallable(of: text, names: names), exit: .usage)
            }
            return only
        }
        if text == campaign?.rawValue, let waiting = records.first { return waiting }
        let known = try await mapStateErrors { () async throws(StateStoreError) in
            try await target.store.campaigns().map(\.rawValue).sorted()
        }
        let names = known + records.map(\.id.description)
        throw CommandFailure(.unknownOccurrence(text, among: names), exit: .usage)
    }

    /// The recall of an occurrence if it has one, and the occurrences that may have replaced its message.
    private func others(
        of sent: OccurrenceRecord
    ) async throws(CommandFailure) -> [OccurrenceRecord] {
        try await mapStateErrors { () async throws(StateStoreError) in
            let recall = try await target.store.occurrence(sent.id.recall)
            guard RecallPlan.hasAuthorsKey(sent) else { return [recall].compactMap(\.self) }
            return try await target.store.occurrences(.all)
        }
    }

    /// The message of the recall: that of the present files, or of the last apply if they lack the campaign.
    private func message(
        for id: OccurrenceID
    ) async throws(CommandFailure) -> RecallMessage {
        let loaded = session.load(viewing: target.environment.id).project
        let project = loaded ?? session.loadProjectFile(for: nil).project
        let campaign = project?.campaigns.first { $0.id == id.campaign }
        if let written = campaign?.policy.recall ?? project?.recall { return written }
        guard campaign == nil else { return .standard }
        let definition = try await mapStateErrors { () async throws(StateStoreError) in
            try await target.store.definition(of: id.campaign)
        }
        return definition.flatMap(AppliedCampaign.recallMessage(of:)) ?? .standard
    }
}

// MARK: - The list

extension RecallRequest {
    /// Stores the list of an occurrence again if the state has dropped it, and the files have it unchanged.
    private func storeList(of plan: RecallPlan) async throws(CommandFailure) {
        guard case .registrations(let id) = plan.unit.target else { return }
        let isStored = try await mapStateErrors { () async throws(StateStoreError) in
            try await target.store.hasList(id)
        }
        guard !isStored else { return }
        let project = session.load(viewing: target.environment.id).project
        let campaign = project?.campaigns.first { $0.id == plan.sent.id.campaign }
        guard let project, case .registrations(let list)? = campaign?.target, let campaign else {
            throw CommandFailure(
                .recallWithoutList(of: plan.sent.id, because: "no campaign of the files names it")
            )
        }
        let opener = SendOpener(
            ledger: target.store,
            lists: target.store,
            directory: session.lists,
            fingerprinter: target.fingerprinter
        )
        do throws(ApplyError) {
            try await opener.store(
                ListContent(list, columns: project.columns(of: campaign)),
                as: id
            )
        } catch {
            throw CommandFailure(
                .recallWithoutList(of: plan.sent.id, because: ErrorText(error).message)
            )
        }
    }
}

extension OccurrenceRecord {
    /// Whether it waits, or is in progress.
    fileprivate var isOpen: Bool { status == .scheduled || status == .dispatching }
}
