import ArgumentParser
import CampaignModel
import Presentation
import State
import StoreTables
import Time

/// The `herald rollout` command, which shows and decides about sends in stages.
struct RolloutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollout",
        abstract: "Show, continue or end a send in stages.",
        discussion: """
            EXAMPLES
              herald rollout status catch-log -e production
              herald rollout continue catch-log -e production
              herald rollout abort catch-log -e production

            A campaign with `rollout` is sent in stages. If a condition of `stop_when` is met, \
            nothing more is sent until you continue or end the rollout.
            """,
        subcommands: [
            RolloutStatusCommand.self, RolloutContinueCommand.self, RolloutAbortCommand.self,
        ]
    )
}

/// The `herald rollout status` command.
struct RolloutStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        _superCommandName: "herald rollout",
        abstract: "Show the stage of a rollout, and why it stopped.",
        discussion: """
            EXAMPLES
              herald rollout status catch-log -e production

            Reads only the state, without the lock.
            """
    )

    @OptionGroup var options: ProjectOptions
    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup var output: FormatOptions<TextOrJSON>

    @Argument(help: "Campaign.", completion: .campaigns)
    var campaign: String

    func run() async throws {
        try await options.reportingFailure {
            let session = try await RolloutSession(options: options, environment: environment)
            let id = try await session.campaign(campaign)
            let records = try await session.rollouts(of: id)
            switch output.format {
            case .text: Output.data(session.view.render(records, of: id))
            case .json: Output.data(RolloutStatusJSON.render(records))
            }
        }
    }
}

/// The `herald rollout continue` command.
struct RolloutContinueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "continue",
        _superCommandName: "herald rollout",
        abstract: "Send the rest of a stopped or waiting rollout.",
        discussion: """
            EXAMPLES
              herald rollout continue catch-log -e production

            The conditions of `stop_when` count from then on, and so does the lifetime of the rest. \
            A rollout that waits between two stages begins the next one. Works without the lock.
            """
    )

    @OptionGroup var rollout: DecidedRollout

    func run() async throws {
        try await rollout.decide(
            "continue",
            change: RolloutChange.goOn,
            rendering: { $0.renderContinued($1) }
        )
    }
}

/// The `herald rollout abort` command.
struct RolloutAbortCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "abort",
        _superCommandName: "herald rollout",
        abstract: "End a rollout. The rest is not sent.",
        discussion: """
            EXAMPLES
              herald rollout abort catch-log -e production

            A run that is sending stops within a second. Raise `revision` to send the campaign \
            again to all recipients. Works without the lock.
            """
    )

    @OptionGroup var rollout: DecidedRollout

    func run() async throws {
        try await rollout.decide(
            "abort",
            change: RolloutChange.abort,
            rendering: { $0.renderAborted($1) }
        )
    }
}

/// The rollout that a person continues or ends.
struct DecidedRollout: ParsableArguments {
    @OptionGroup var options: ProjectOptions
    @OptionGroup var environment: EnvironmentOptions

    @Argument(help: "Campaign or occurrence (campaign/slot/revision).", completion: .campaigns)
    var campaign: String

    /// Records a decision, and prints its effect.
    ///
    /// `command`: the subcommand that makes it, for the history.
    func decide(
        _ command: String,
        change: @escaping @Sendable (RolloutDecision) -> RolloutChange,
        rendering: @escaping @Sendable (RolloutStatusView, OccurrenceID) -> String
    ) async throws {
        try await options.reportingFailure {
            let session = try await RolloutSession(options: options, environment: environment)
            let record = try await session.onlyRollout(of: campaign)
            try await session.decide(record.id, command: command, change: change)
            Output.data(rendering(session.view, record.id))
        }
    }
}
