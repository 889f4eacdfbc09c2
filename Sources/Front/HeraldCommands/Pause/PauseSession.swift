import CampaignModel
import Presentation
import State
import StoreTables
import Time

/// An environment's state, opened to set or lift a pause.
struct PauseSession {
    let view: PauseTextView
    private let state: EnvironmentState
    private let store: any TableStore
    private let now: Instant

    init(options: ProjectOptions, environment: EnvironmentOptions) async throws(CommandFailure) {
        let session = try Session(options)
        state = try EnvironmentState(in: session, chosen: environment)
        store = try await state.open()
        now = session.clock.now()
        view = PauseTextView(
            style: options.outputStyle,
            now: now,
            hint: CommandHint(for: state.environment)
        )
    }

    /// All current pauses.
    func pauses() async throws(CommandFailure) -> [Pause] {
        try await mapStateErrors { () async throws(StateStoreError) in
            try await store.pauses()
        }
    }

    /// Everything, or the campaign with this name.
    func scope(of campaign: String?) async throws(CommandFailure) -> PauseScope {
        guard let campaign else { return .everything }
        return .campaign(try await state.campaign(campaign, in: store))
    }

    /// Everything, or the campaign with this name, which may be a removed campaign that is paused.
    func pausedScope(of campaign: String?) async throws(CommandFailure) -> PauseScope {
        if let id = campaign.flatMap({ CampaignID($0) }),
            try await pauses().contains(where: { $0.scope == .campaign(id) })
        {
            return .campaign(id)
        }
        return try await scope(of: campaign)
    }

    /// False if the scope is paused already.
    func pause(_ scope: PauseScope) async throws(CommandFailure) -> Bool {
        let pause = pause(of: scope, by: "herald pause")
        return try await mapStateErrors { () async throws(StateStoreError) in
            try await store.pause(pause)
        }
    }

    /// False if the scope is not paused.
    func lift(_ scope: PauseScope) async throws(CommandFailure) -> Bool {
        let pause = pause(of: scope, by: "herald resume")
        return try await mapStateErrors { () async throws(StateStoreError) in
            try await store.liftPause(pause)
        }
    }

    private func pause(of scope: PauseScope, by command: String) -> Pause {
        let worker = Worker.this(command: command, since: now)
        return Pause(scope: scope, since: now, user: worker.user, host: worker.host)
    }
}
