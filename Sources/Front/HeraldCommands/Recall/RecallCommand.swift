import ArgumentParser
import CampaignModel
import Planning
import Presentation
import RunControl
import State
import Time

/// The `herald recall` command, which takes an occurrence back.
struct RecallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recall",
        _superCommandName: "herald",
        abstract: "Take back an occurrence: replace its notification.",
        discussion: """
            EXAMPLES
              herald recall spring-tide-warning/once/1 --plan
              herald recall spring-tide-warning/once/1
              herald recall spring-tide-warning/once/1 --confirm spring-tide-warning/once/1

            Stops the occurrence, cancels its unsent requests, and sends the `recall` message of the \
            campaign or the project to exactly the registrations whose requests were accepted or are \
            unknown. It has the keys of the occurrence, so that it replaces the notification, and \
            it expires with it. A topic, a condition or a group gets one message.

            Name the occurrence as `herald status` prints it: campaign/slot/revision. The campaign \
            is enough if it was sent once. Shows what the recall can do on each platform, and asks \
            for the name of the occurrence. With --plan, it does nothing else.

            Quiet hours, frequency caps, fan-out permits, reviews and earlier pauses do not hold a \
            recall. If another process holds the lock, such as a service or an apply that sends, \
            that process performs the recall, and this command waits for its end. An interrupted \
            recall resumes with the next apply, with the service, or if you run the command again.
            """
    )

    @OptionGroup var options: ProjectOptions
    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup var endpoint: EndpointOptions
    @OptionGroup var lockOptions: LockOptions

    @Flag(help: "Show what the recall would do, and do nothing.")
    var plan = false

    @Flag(help: "Do not ask for the name. Not enough in a protected environment.")
    var yes = false

    @Option(
        help: ArgumentHelp(
            "Name of the occurrence, instead of typing it.",
            valueName: "occurrence"
        )
    )
    var confirm: String?

    @Flag(help: "Never ask. Fails if neither --confirm nor --yes is given.")
    var noInput = false

    @Flag(name: .shortAndLong, help: "Hide progress lines, but show the result.")
    var quiet = false

    @Option(
        help: ArgumentHelp(
            "The state's file or server. (default: the environment's)",
            valueName: "path|url"
        ),
        completion: .file()
    )
    var state: String?

    @Argument(
        help: "Occurrence (campaign/slot/revision) or campaign.",
        completion: .campaigns
    )
    var occurrence: String

    func run() async throws {
        try await options.reportingFailure {
            let session = try Session(options)
            let target = try await AppliedTarget(
                at: try session.appliedState(at: state, orOf: environment),
                lists: nil,
                bypassing: endpoint.allowsAnyServer ? [.endpoint] : [],
                in: session
            )
            try await session.notingSerial(of: target.store) {
                let request = RecallRequest(self, session: session, target: target)
                guard let recalled = try await request.make() else { return }
                try await RecallRun(self, session: session, target: target).perform(recalled)
            }
        }
    }
}
