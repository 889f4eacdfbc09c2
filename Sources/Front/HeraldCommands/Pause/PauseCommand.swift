import ArgumentParser
import Presentation

/// The `herald pause` command, which stops sending until `herald resume`.
struct PauseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        _superCommandName: "herald",
        abstract: "Pause sending until herald resume.",
        discussion: """
            EXAMPLES
              herald pause
              herald pause spring-tide-warning -e production

            Without a campaign, pauses everything in the environment. A running apply stops \
            sending within a second. After herald resume, the next apply sends the rest. \
            Memberships still change. Works without the lock, even if campaign files are \
            invalid.
            """
    )

    @OptionGroup var options: ProjectOptions
    @OptionGroup var environment: EnvironmentOptions

    @Argument(help: "Campaign to pause. (default: all)", completion: .campaigns)
    var campaign: String?

    func run() async throws {
        try await options.reportingFailure {
            let session = try await PauseSession(options: options, environment: environment)
            let scope = try await session.scope(of: campaign)
            let isNew = try await session.pause(scope)
            Output.data(
                session.view.renderPaused(scope, isNew: isNew, pauses: try await session.pauses())
            )
        }
    }
}
