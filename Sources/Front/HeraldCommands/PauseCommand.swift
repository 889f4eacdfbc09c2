import ArgumentParser
import CampaignModel
import Presentation
import State
import SQLiteStore
import Time

/// The `herald pause` command, which stops sending until the pause is lifted.
struct PauseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Stop sending, in a running apply within a second; --off goes on.",
        discussion: """
            EXAMPLES
              herald pause
              herald pause spring-tide-warning -e production
              herald pause --off

            Without a campaign nothing at all is sent from the environment's state. What was not \
            sent stays to be sent: once the pause is lifted, the next apply goes on. Memberships \
            are changed all the same. Needs no lock and no campaign file that is right.
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var environment: EnvironmentOptions

    @Flag(help: "Lift the pause.")
    var off = false

    @Argument(help: "Only this campaign.", completion: .campaigns)
    var campaign: String?

    func run() async throws {
        try await options.reportingFailure {
            let pipeline = try Pipeline(options)
            let state = try EnvironmentState(pipeline, environment)
            let scope = try scope(in: state)
            let store = try state.open()
            let now = pipeline.surroundings.clock.now()
            let view = PauseTextView(now: now, hint: CommandHint(for: state.environment))
            let isChanged = try change(scope, store, at: now)
            let pauses = try stating { () throws(StateStoreError) in try store.pauses() }
            Output.data(
                off
                    ? view.renderLifted(scope, wasPaused: isChanged, rest: pauses)
                    : view.renderPaused(scope, isNew: isChanged, pauses)
            )
        }
    }

    private func scope(in state: EnvironmentState) throws(CommandFailure) -> PauseScope {
        guard let campaign else { return .everything }
        let applied = try state.openIfThere().map { store throws(CommandFailure) in
            try stating { () throws(StateStoreError) in try store.appliedState() }
        }
        // A pause of a removed campaign can still be lifted.
        if off, let id = CampaignID(campaign),
            applied?.pauses.contains(where: { $0.scope == .campaign(id) }) == true
        {
            return .campaign(id)
        }
        return .campaign(try state.campaign(campaign, applied))
    }

    private func change(
        _ scope: PauseScope,
        _ store: SQLiteStore,
        at now: Instant
    ) throws(CommandFailure) -> Bool {
        let worker = Worker.this(command: "herald pause", since: now)
        let pause = Pause(scope: scope, since: now, user: worker.user, host: worker.host)
        return try stating { () throws(StateStoreError) in
            off ? try store.liftPause(pause) : try store.pause(pause)
        }
    }
}
