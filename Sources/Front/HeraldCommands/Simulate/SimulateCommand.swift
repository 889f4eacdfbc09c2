import ArgumentParser
import CampaignLoading
import CampaignModel
import DeliveryModel
import Diagnostics
import Planning
import Presentation
import Simulation
import Text
import Time

/// The `herald simulate` command, which runs a plan against a population in virtual time.
struct SimulateCommand: AsyncParsableCommand {
    enum Format: String, OutputFormat {
        case text
        case json
        case html

        static let help: ArgumentHelp =
            "Output format: text, json, or html for a page with charts. (default: text)"
    }

    static let configuration = CommandConfiguration(
        commandName: "simulate",
        _superCommandName: "herald",
        abstract: "Simulate the coming days on virtual devices. Sends nothing.",
        discussion: """
            EXAMPLES
              herald simulate                       a week, with the devices of the largest audience
              herald simulate --devices 1000000 --days 14
              herald simulate --population populations/anglers.yaml
              herald simulate --format html > week.html
              herald simulate --seed 7 --only spring-tide-warning

            Shows, for each campaign, how many messages are delivered, collapsed, expired or \
            dropped, how long that takes, and how many messages a single device receives. The \
            simulation covers the plan that `herald plan` shows and all scheduled sends. The \
            same seed gives the same result, byte for byte. `herald schema population` describes \
            the file.
            """
    )

    @OptionGroup var options: ProjectOptions
    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup var selection: SelectionOptions

    @Option(
        help: ArgumentHelp("YAML file that describes the population.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"])
    )
    var population: String?

    @Option(
        help: ArgumentHelp(
            "Number of devices if no --population is given: 1 to 10,000,000.",
            discussion: "(default: the size of the largest audience, at most 100,000)"
        )
    )
    var devices: Int?

    @Option(help: "Number of days to simulate: 1 to 60.")
    var days = 7

    @Option(help: "Seed for all random choices.")
    var seed: UInt64 = 1

    @OptionGroup var output: FormatOptions<Format>

    func validate() throws {
        guard population == nil || devices == nil else {
            throw ValidationError("--devices cannot be combined with --population")
        }
        guard (1...60).contains(days) else { throw ValidationError("--days must be from 1 to 60") }
        guard devices.map(Population.sizes.contains) ?? true else {
            throw ValidationError("--devices must be from 1 to 10,000,000")
        }
    }

    func run() async throws {
        try await options.reportingFailure {
            let session = try Session(options)
            let declaration = try readPopulation()
            let (whole, looking) = try await session.targetOfOnePlan(environment)
            try session.pass(await looking.value)
            let target = whole.selecting(
                try await selection.selection(of: whole, in: options.directory)
            )
            let plan = try await session.plan(target, at: session.clock.now())
            let applied = try await target.appliedPlan(at: plan.now, in: session)
            let story = try simulate(
                plan,
                applied: applied,
                with: try setting(declaration, for: plan, zones: target.zones),
                zones: target.zones
            )
            switch output.format {
            case .text:
                Output.data(SimulationTextView(story, style: options.outputStyle).render())
                selection.show(plan)
            case .json: Output.data(SimulationJSONView(story).render())
            case .html: Output.data(SimulationHTMLView(story).render())
            }
        }
    }

    private typealias Setting = (population: Population, backgroundDelay: Int64)

    /// Reads the population file; nil without one.
    ///
    /// Exits with 65 if it is invalid.
    private func readPopulation() throws(CommandFailure) -> PopulationDeclaration? {
        guard let path = population else { return nil }
        let file = PopulationFile(reading: path)
        guard let declaration = file.declaration else {
            let view = FindingsTextView(style: options.errorStyle)
            Output.message(view.render(file.log.sorted(in: file.catalog), in: file.catalog))
            throw CommandFailure(.unreadablePopulation, exit: .invalidFiles)
        }
        return declaration
    }

    private func setting(
        _ declaration: PopulationDeclaration?,
        for plan: Plan,
        zones: TimeZoneDatabase
    ) throws(CommandFailure) -> Setting {
        var population = Population(of: plan, size: devices)
        if let declaration {
            do throws(Population.UnknownZone) {
                population = try Population(declaration) { name in
                    (try? zones.rules(named: name))?.offset(at: plan.now).seconds
                }
            } catch {
                throw CommandFailure(.unknownPopulationZone(error.name), exit: .invalidFiles)
            }
        }
        population.adoptZones(of: plan, from: zones)
        return (population, declaration?.backgroundDelay?.value ?? 0)
    }

    /// `applied`: the plan without the files, over the same devices; nil for no comparison.
    private func simulate(
        _ plan: Plan,
        applied: Plan?,
        with setting: Setting,
        zones: TimeZoneDatabase
    ) throws(CommandFailure) -> SimulationDescription {
        var population = setting.population
        let end = plan.now.advanced(bySeconds: Int64(days) * 86_400)
        let planned = try playback(of: plan, over: &population, until: end)
        // The shares of its other topics do not change the devices of the plan's topics.
        var before = population
        var past: PlanPlayback?
        if let applied { past = try playback(of: applied, over: &before, until: end) }
        let run = { (sends: [SimulatedSend], population: Population) in
            self.run(sends, over: population, of: plan, until: end, delay: setting.backgroundDelay)
        }
        return SimulationDescription(
            run(planned.sends, population),
            comparedWith: past.map { run($0.sends, before) },
            assumptions: planned.assumptions,
            zone: (try? zones.rules(named: plan.timeZone)) ?? .utc,
            named: plan.timeZone
        )
    }

    private func playback(
        of plan: Plan,
        over population: inout Population,
        until end: Instant
    ) throws(CommandFailure) -> PlanPlayback {
        do throws(PlanPlayback.Refusal) {
            return try PlanPlayback(plan, over: &population, until: end)
        } catch {
            throw CommandFailure(.messageRefused(of: error.campaign, because: error.reason))
        }
    }

    private func run(
        _ sends: [SimulatedSend],
        over population: Population,
        of plan: Plan,
        until end: Instant,
        delay: Int64
    ) -> SimulationResult {
        var delivery = DeliveryOptions()
        delivery.backgroundDelay = delay * 1_000
        delivery.seed = seed
        return SimulationRun(
            of: sends,
            over: population,
            from: DeliveryMoment(milliseconds: plan.now.secondsSince1970 * 1_000),
            to: DeliveryMoment(milliseconds: end.secondsSince1970 * 1_000),
            pace: SimulatedPace(
                sendsPerMinute: plan.pace.sendsPerMinute,
                fanOuts: plan.pace.holdsFanOuts ? plan.pace.fanOuts : Pace.maximumFanOuts,
                fanOutRate: plan.pace.fanOutRate
            ),
            options: delivery,
            seed: seed
        ).run()
    }
}
