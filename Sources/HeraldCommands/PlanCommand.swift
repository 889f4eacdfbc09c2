import ArgumentParser
import CampaignExecution
import CampaignModel
import CampaignPlanning
import CampaignReporting
import Scheduling

/// `herald plan`: what an apply would do.
struct PlanCommand: AsyncParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text
        case json
    }

    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Show what an apply would do; nothing is sent.",
        discussion: """
            Compares the files with what was applied last. The state is made where there is none.

            EXAMPLES
              herald plan
              herald plan -e staging --detailed-exitcode
              herald plan --format json
              herald plan --refresh
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var environment: EnvironmentOptions

    @Option(help: "How the plan is written.")
    var format = Format.text

    @Flag(
        name: .customLong("detailed-exitcode"),
        help: "Exit with 2 when there is something to do."
    )
    var hasDetailedExitCode = false

    @Flag(help: "Ask FCM first what the registrations are subscribed to.")
    var refresh = false

    func run() async throws {
        try await options.reportingFailure {
            let pipeline = try Pipeline(options)
            let target = try pipeline.target(environment)
            let refreshing = MembershipRefreshing(
                target: target,
                pipeline: pipeline,
                isQuiet: false
            )
            let seen = refresh ? try await refreshing.perform(recordingBy: nil) : RefreshReport()
            let plan = try target.plan(
                at: pipeline.surroundings.clock.now(),
                findings: seen.findings
            )
            switch format {
            case .text:
                let view = PlanTextView(style: options.outputStyle)
                Output.data(view.render(plan))
            case .json:
                Output.data(
                    PlanJSONView().render(plan, projectOnWire: target.project.id.rawValue)
                )
            }
            if format == .text, plan.hasChanges {
                NextCommand(options).suggest("apply", in: target.environment.id)
            }
            if hasDetailedExitCode, plan.hasChanges { throw ExitReason.changesPending.code }
        }
    }
}
