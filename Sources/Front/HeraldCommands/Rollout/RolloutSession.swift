import CampaignModel
import Presentation
import State
import StoreTables
import Time

/// An environment's state, opened to look at rollouts or to decide about them.
struct RolloutSession {
    let view: RolloutStatusView
    private let state: EnvironmentState
    private let store: any TableStore
    private let now: Instant
    private let hint: CommandHint

    init(options: ProjectOptions, environment: EnvironmentOptions) async throws(CommandFailure) {
        let session = try Session(options)
        state = try EnvironmentState(in: session, chosen: environment)
        store = try await state.open()
        now = session.clock.now()
        hint = CommandHint(for: state.environment)
        view = RolloutStatusView(style: options.outputStyle, now: now, hint: hint)
    }

    func campaign(_ name: String) async throws(CommandFailure) -> CampaignID {
        try await state.campaign(name, in: store)
    }

    /// The occurrences of a campaign that are or were sent in stages.
    func rollouts(of campaign: CampaignID) async throws(CommandFailure) -> [OccurrenceRecord] {
        try await mapStateErrors { () async throws(StateStoreError) in
            try await store.occurrences(.of([campaign])).filter { $0.rollout != nil }
        }
    }

    /// The rollout in progress that a name means: that of an occurrence, or the only one of a campaign.
    func onlyRollout(of name: String) async throws(CommandFailure) -> OccurrenceRecord {
        let id = try await campaign(String(name.prefix { $0 != "/" }))
        let active = try await rollouts(of: id).filter { $0.status == .dispatching }
        let named = active.filter { name == id.rawValue || $0.id.description == name }
        guard let first = named.first else { throw CommandFailure(.noRollout(of: id, hint: hint)) }
        guard named.count == 1 else {
            let names = named.map(\.id.description)
            throw CommandFailure(.severalRollouts(of: id, names: names), exit: .usage)
        }
        return first
    }

    /// Records a decision with the name of the user, also in the history.
    func decide(
        _ occurrence: OccurrenceID,
        command: String,
        change: (RolloutDecision) -> RolloutChange
    ) async throws(CommandFailure) {
        let worker = Worker.this(command: "herald rollout \(command) \(occurrence)", since: now)
        let decided = change(RolloutDecision(user: worker.user, host: worker.host, at: now))
        let changed = try await mapStateErrors { () async throws(StateStoreError) in
            let changed = try await store.change(occurrence, by: decided)
            if changed != nil { try await store.note(worker) }
            return changed
        }
        guard changed != nil else {
            throw CommandFailure(.rolloutNotStopped(occurrence, hint: hint))
        }
    }
}
