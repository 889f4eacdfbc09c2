import ArgumentParser
import CampaignLoading
import CampaignModel
import DeliveryModel
import Diagnostics
import EmulatorAPI
import EmulatorServer
import FoundationEssentials
import Logging
import Presentation
import RegistrationLists
import RunControl
import Text

/// The `herald emulator` command, which runs an FCM emulator on this machine.
struct EmulatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "emulator",
        abstract: "Run an FCM emulator with virtual devices.",
        discussion: """
            EXAMPLES
              herald emulator                  serve on http://127.0.0.1:9099
              herald emulator inboxes          what each device received
              herald emulator wait --topic t   wait for a message
              herald emulator send-upstream ana-pixel answer=stop
                                               a message of a device to its app server
              herald emulator --faults FILE    inject the faults of a script
              herald emulator adopt LIST       make devices for a list's registrations
              herald emulator reset            start from scratch
              herald emulator make-key EMAIL FILE
                                               a service account for tests
              herald emulator make-phones 20 LIST
                                               phones with keys, and their list

            The devices come from the project's `devices:` documents. Their messages are kept in \
            .herald/emulator between runs. `herald emulator reset` starts from scratch.
            """,
        subcommands: [
            ServeCommand.self, InboxesCommand.self, EmulatorMessagesCommand.self,
            EmulatorRequestsCommand.self, EmulatorWaitCommand.self, EmulatorAssertCommand.self,
            SendUpstreamCommand.self, AdoptCommand.self, MakeKeyCommand.self,
            MakePhonesCommand.self, EmulatorResetCommand.self,
        ],
        defaultSubcommand: ServeCommand.self
    )

    struct ServeCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "serve",
            _superCommandName: "herald emulator",
            abstract: "Serve until Ctrl-C.",
            discussion: """
                EXAMPLES
                  herald emulator
                  herald emulator --port 0 --verbose
                  herald emulator --host 0.0.0.0   for other machines, with a token
                  herald emulator --xmpp-port 5235   for `herald listen --server 127.0.0.1:5235`
                  herald emulator --clock virtual --at 2037-03-20T07:30:00Z
                """
        )

        @OptionGroup var options: ProjectOptions

        @Option(help: "Port. 0 selects a free port.")
        var port = 9099

        @OptionGroup var faults: FaultOptions
        @OptionGroup var transport: TransportFlags
        @OptionGroup var clock: ClockOptions
        @OptionGroup var limitFlags: LimitFlags
        @OptionGroup(title: "Delivery") var delivery: DeliveryFlags
        @Option(
            name: .customLong("service-account"),
            help: ArgumentHelp(
                "Service account file whose assertions are accepted. Repeatable.",
                valueName: "file"
            )
        )
        var serviceAccounts: [String] = []

        @Option(
            name: .customLong("project-id"),
            help: """
                ID of the default project. Every other project ID then has separate state from \
                its first request on.
                """
        )
        var projectID: String?

        @Flag(
            name: .customLong("adopt-lists"),
            help: "Make devices for the registrations of all the project's lists."
        )
        var adoptsLists = false

        @Flag(help: "Require unexpired access tokens issued by this emulator.")
        var requireTokens = false

        @Flag(name: .shortAndLong, help: "Log each request to standard error.")
        var verbose = false

        func validate() throws {
            guard TransportFlags.ports.contains(port) else {
                throw ValidationError("a port must be from 0 to 65535")
            }
        }

        func run() async throws {
            try await options.reportingFailure {
                let session = try Session(options)
                let loaded = session.load()
                try refuseBroken(loaded)
                let folder = EmulatorFolder(options)
                if transport.printSetup, let running = RunningEmulator.find(in: folder.path) {
                    try refuseChanges(to: running.addresses)
                    return Output.data(SetupView(running.addresses).text)
                }
                let stop = StopSignal()
                let signals = InterruptHandler(stop, says: .serving)
                let server = try await folder.start(
                    setup(for: loaded),
                    port: port,
                    transport: transport,
                    logger: verbose ? logger : nil
                )
                if server.addresses.token != nil {
                    options.tell(EmulatorAnswerWording.reachable(at: transport.host))
                }
                if adoptsLists, let project = loaded.project {
                    try await adopt(project, by: server, in: session)
                }
                Output.data(SetupView(server.addresses).announcement)
                if transport.printSetup { Output.data("\n" + SetupView(server.addresses).text) }
                await stop.wait()
                signals.cancel()
                await server.stop()
            }
        }

        /// Makes devices for all lists, before the announcement.
        private func adopt(
            _ project: Project,
            by server: EmulatorService,
            in session: Session
        ) async throws(CommandFailure) {
            let adoption = Adoption(session: session, project: project, platform: .android)
            let client = EmulatorControlClient(at: server.url, token: server.addresses.token)
            try await client.asking { (client) async throws(CommandFailure) in
                for list in project.lists {
                    let result = try await adoption.adopt(
                        list,
                        by: client,
                        query: SearchParameters()
                    )
                    let name = list.path ?? "inline list"
                    options.tell(
                        AdoptionWording.adopted(result.added, known: result.known, list: name)
                    )
                }
            }
        }

        private func setup(for loaded: LoadedProject) throws(CommandFailure) -> EmulatorSetup {
            var setup = EmulatorSetup(
                faults: try faults.script(),
                clock: clock.start,
                limits: limitFlags.limits(
                    liftsTopicLimit: loaded.settings.lifts(.payloadOver2048)
                ),
                delivery: delivery.options,
                serviceAccounts: try serviceAccounts.map(read),
                requiresTokens: requireTokens
            )
            setup.project = projectID ?? loaded.project?.id.rawValue
            setup.separatesProjects = projectID != nil
            setup.devices = try (loaded.project?.devices ?? []).map(DeviceSpecification.init)
            return setup
        }

        /// Refuses an invalid project, because only some of its devices would be served.
        ///
        /// A directory without a project is served without devices.
        private func refuseBroken(_ loaded: LoadedProject) throws(CommandFailure) {
            let hasProject = FileManager.default.fileExists(
                atPath: options.directory + "/" + ProjectLoader.projectFile
            )
            guard hasProject, loaded.log.hasErrors else { return }
            let view = FindingsTextView(style: options.errorStyle)
            Output.message(view.render(loaded.log.sorted(in: loaded.catalog), in: loaded.catalog))
            throw CommandFailure(.noDevices, exit: .invalidFiles)
        }

        /// Refuses options that would change an emulator that is already running.
        private func refuseChanges(to running: EmulatorAddresses) throws(CommandFailure) {
            var names = transport.unmet(by: running)
            if port != 9099, port != 0, !running.url.hasSuffix(":\(port)") {
                names.append("--port")
            }
            let others = [
                ("--faults", faults.faults != nil), ("--seed", faults.seed != nil),
                ("--clock", clock.clock != nil), ("--service-account", !serviceAccounts.isEmpty),
                (
                    "--topic-payload-limit, --membership-rate, --apple-rate or --sends-per-minute",
                    limitFlags.areGiven
                ),
                ("the delivery options", delivery.options != DeliveryOptions()),
                ("--project-id", projectID != nil), ("--adopt-lists", adoptsLists),
                ("--require-tokens", requireTokens), ("--verbose", verbose),
            ]
            names += others.filter(\.1).map(\.0)
            guard !names.isEmpty else { return }
            throw CommandFailure(.emulatorRunning(at: running.url, without: names))
        }

        private func read(_ path: String) throws(CommandFailure) -> ServiceAccountFile {
            ServiceAccountFile(path: path, contents: try KeyFile(path).contents())
        }

        private var logger: Logger {
            var logger = Logger(label: "emulator") { StreamLogHandler.standardError(label: $0) }
            logger.logLevel = .debug
            return logger
        }
    }
}
