import ArgumentParser
import CampaignLoading
import CampaignModel
import Planning
import Presentation
import Simulation
import Diagnostics
import Text
import DeliveryModel
import Time

/// The `herald simulate` command, which runs a plan against a population in virtual time.
struct Simulate: AsyncParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text
        case json
        case html
    }

    static let configuration = CommandConfiguration(
        abstract: "Play the coming days over a population of devices; nothing is sent.",
        discussion: """
            EXAMPLES
              herald simulate                       a week, over 10,000 devices
              herald simulate --devices 1000000 --days 14
              herald simulate --population populations/anglers.yaml
              herald simulate --format html > week.html
              herald simulate --seed 7 --only spring-tide-warning

            Shows for each campaign how many messages are delivered, collapsed, expired or dropped, \
            how long that takes, and how much a single device gets. The plan is the one that `herald \
            plan` shows, and what is scheduled besides. The same seed gives the same result, byte by \
            byte; `herald schema population` describes the file.
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup var selection: SelectionOptions

    @Option(
        help: ArgumentHelp("A YAML file that describes the population.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"])
    )
    var population: String?

    @Option(help: "So many devices of the usual kinds, without a file: 1 to 10,000,000.")
    var devices: Int?

    @Option(help: "How many days are played: 1 to 60.")
    var days = 7

    @Option(help: "Of all that is left to chance.")
    var seed: UInt64 = 1

    @Option(help: "text for people, json for programs, html for a page with a picture.")
    var format = Format.text

    func validate() throws {
        guard population == nil || devices == nil else {
            throw ValidationError("the population's file says how many devices there are")
        }
        guard (1...60).contains(days) else { throw ValidationError("--days is 1 to 60") }
        guard devices.map(Population.sizes.contains) ?? true else {
            throw ValidationError("--devices is 1 to 10,000,000")
        }
    }

    func run() async throws {
        try await options.reportingFailure {
            let pipeline = try Pipeline(options)
            let setting = try readPopulation()
            var (target, looking) = try await pipeline.targetOfOnePlan(environment)
            try pipeline.pass(await looking.value)
            target.selection = try selection.selection(of: target, in: options.directory)
            let plan = try target.plan(at: pipeline.surroundings.clock.now())
            let story = try simulate(plan, setting, target.zones)
            switch format {
            case .text:
                Output.data(SimulationTextView(story, style: options.outputStyle).render())
                selection.show(plan)
            case .json: Output.data(SimulationJSONView(story).render())
            case .html: Output.data(SimulationHTMLView(story).render())
            }
        }
    }

    private typealias Setting = (population: Population, backgroundDelay: Int64)

    private static let usualDevices = 10_000

    /// Reads the population file.
    ///
    /// Exits with 65 if it is invalid.
    private func readPopulation() throws(CommandFailure) -> Setting {
        guard let path = population else {
            return (Population(size: devices ?? Self.usualDevices), 0)
        }
        let file = PopulationFile(reading: path)
        guard let declaration = file.declaration else {
            let useColor = options.useColor(Surroundings.isErrorTerminal)
            let view = DiagnosticView(useColor: useColor)
            Output.message(view.render(file.log.sorted(in: file.catalog), file.catalog))
            throw CommandFailure(
                "the population can't be read, so nothing is played",
                help: "`herald schema population` describes the file",
                exit: .invalidFiles
            )
        }
        return (Population(declaration), declaration.backgroundDelay?.value ?? 0)
    }

    private func simulate(
        _ plan: Plan,
        _ setting: Setting,
        _ zones: TimeZoneDatabase
    ) throws(CommandFailure) -> SimulationStory {
        let end = plan.now.advanced(bySeconds: Int64(days) * 86_400)
        let zone = (try? zones.rules(named: plan.timeZone)) ?? .utc
        var population = setting.population
        let playback: PlanPlayback
        do throws(PlanPlayback.Refusal) {
            playback = try PlanPlayback(plan, over: &population, until: end, zones: zones)
        } catch {
            throw CommandFailure(
                "FCM would refuse `\(error.campaign.rawValue)`: \(TextStyle.safe(error.reason))",
                help: "`herald validate --online` says where"
            )
        }
        var delivery = DeliveryOptions()
        delivery.backgroundDelay = setting.backgroundDelay * 1_000
        delivery.seed = seed
        let result = SimulationRun(
            of: playback.sends,
            over: population,
            from: DeliveryMoment(milliseconds: plan.now.secondsSince1970 * 1_000),
            to: DeliveryMoment(milliseconds: end.secondsSince1970 * 1_000),
            offsetSeconds: zone.offset(at: plan.now).seconds,
            pace: SimulatedPace(
                sendsPerMinute: plan.pace.sendsPerMinute,
                fanOuts: plan.pace.holdsFanOuts ? plan.pace.fanOuts : Pace.maximumFanOuts,
                fanOutRate: plan.pace.fanOutRate
            ),
            options: delivery,
            seed: seed
        ).run()
        return SimulationStory(
            result,
            assumptions: playback.assumptions,
            zone: zone,
            named: plan.timeZone
        )
    }
}
