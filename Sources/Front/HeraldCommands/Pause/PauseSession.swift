import CampaignModel
import Presentation
import SQLiteStore
import State
import Time

/// An environment's state, opened to set or lift a pause.
struct PauseSession {
    let view: PauseTextView
    private let state: EnvironmentState
    private let store: SQLiteStore
    private let now: Instant

    init(_ options: GlobalOptions, _ environment: EnvironmentOptions) throws(CommandFailure) {
        let session = try Session(options)
        state = try EnvironmentState(session, environment)
        store = try state.open()
        now = session.context.clock.now()
        view = PauseTextView(now: now, hint: CommandHint(for: state.environment))
    }

    /// All current pauses.
    func pauses() throws(CommandFailure) -> [Pause] {
        try mapStateErrors { () throws(StateStoreError) in try store.pauses() }
    }

    /// Everything, or the campaign with this name.
    func scope(of campaign: String?) throws(CommandFailure) -> PauseScope {
        guard let campaign else { return .everything }
        let applied = try mapStateErrors { () throws(StateStoreError) in try store.appliedState() }
        return .campaign(try state.campaign(campaign, applied))
    }

    /// As `scope`, but the pause of a removed campaign counts, too.
    func pausedScope(of campaign: String?) throws(CommandFailure) -> PauseScope {
        if let id = campaign.flatMap({ CampaignID($0) }),
            try pauses().contains(where: { $0.scope == .campaign(id) })
        {
            return .campaign(id)
        }
        return try scope(of: campaign)
    }

    /// False if the scope is paused already.
    func pause(_ scope: PauseScope) throws(CommandFailure) -> Bool {
        let pause = pause(of: scope, by: "herald pause")
        return try mapStateErrors { () throws(StateStoreError) in try store.pause(pause) }
    }

    /// False if the scope is not paused.
    func lift(_ scope: PauseScope) throws(CommandFailure) -> Bool {
        let pause = pause(of: scope, by: "herald resume")
        return try mapStateErrors { () throws(StateStoreError) in try store.liftPause(pause) }
    }

    private func pause(of scope: PauseScope, by command: String) -> Pause {
        let worker = Worker.this(command: command, since: now)
        return Pause(scope: scope, since: now, user: worker.user, host: worker.host)
    }
}
