import ArgumentParser
import Presentation

/// The `herald resume` command, which lifts a pause.
struct ResumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        _superCommandName: "herald",
        abstract: "Lift a pause.",
        discussion: """
            EXAMPLES
              herald resume
              herald resume spring-tide-warning -e production

            The next apply sends what was paused. Without a campaign, lifts the pause of \
            everything; pauses of single campaigns stay. Works without the lock, even if campaign \
            files are invalid.
            """
    )

    @OptionGroup var options: ProjectOptions
    @OptionGroup var environment: EnvironmentOptions

    @Argument(help: "Campaign to resume. (default: all)", completion: .campaigns)
    var campaign: String?

    func run() async throws {
        try await options.reportingFailure {
            let session = try await PauseSession(options: options, environment: environment)
            let scope = try await session.pausedScope(of: campaign)
            let wasPaused = try await session.lift(scope)
            let rest = try await session.pauses()
            Output.data(session.view.renderLifted(scope, wasPaused: wasPaused, rest: rest))
        }
    }
}
