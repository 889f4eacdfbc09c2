import Applying
import ArgumentParser
import CampaignModel
import Experiments
import Presentation
import RegistrationLists
import State
import StoreTables
import SystemIO
import Time

/// The `herald results show` command, which compares the arms of experiments.
struct ShowResultsCommand: AsyncParsableCommand {
    enum Format: String, OutputFormat {
        case text
        case json
        case html

        static let help: ArgumentHelp = "Output format. (default: text)"
    }

    static let configuration = CommandConfiguration(
        commandName: "show",
        _superCommandName: "herald results",
        abstract: "Compare the arms of experiments.",
        discussion: """
            EXAMPLES
              herald results
              herald results spring-sale --outcome purchase --baseline 4%
              herald results spring-sale --deviation 12.50 --smallest-difference 0.20
              herald results spring-sale --format html --out results.html

            Looking is free: intervals hold at every look. The first look at an outcome fixes \
            what is expected, so give --baseline or --deviation then. Each look is recorded, so \
            that the page shows how the interval developed.
            """
    )

    @OptionGroup var options: ProjectOptions
    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup var output: FormatOptions<Format>
    @OptionGroup var expectation: ExpectationOptions

    @Option(help: "Outcome to compare. (default: conversion, or the most frequent one)")
    var outcome: String?

    @Flag(help: "Do not record this look.")
    var noRecord = false

    @Option(
        help: ArgumentHelp("Write into a file instead of standard output.", valueName: "file"),
        completion: .file()
    )
    var out: String?

    @Argument(help: "Campaign. (default: all with an experiment)", completion: .campaigns)
    var campaign: String?

    func run() async throws {
        try await options.reportingFailure {
            let state = try EnvironmentState(in: try Session(options), chosen: environment)
            guard let store = try await state.openIfThere() else { return try show([], in: state) }
            let reader = ExperimentReader(
                of: store,
                folder: state.session.lists.temporaryFolder
            )
            var results: [ExperimentResult] = []
            for id in try await campaigns(reader, in: state, store: store) {
                if !noRecord { try await importAnswers(to: id, from: store, in: state) }
                results.append(
                    try await mapExperimentErrors(in: state) {
                        () async throws(ExperimentError) in
                        try await reader.look(at: request(for: id), on: state.session.clock.now())
                    }
                )
            }
            try show(results, in: state)
        }
    }

    /// Stores the answers of devices that runs recorded since the last look; those that are stored
    /// stay as they are.
    private func importAnswers(
        to campaign: CampaignID,
        from store: any TableStore,
        in state: EnvironmentState
    ) async throws(CommandFailure) {
        let fingerprinter = try await state.reader(of: store).fingerprinter
        let answers = try await mapStateErrors { () async throws(StateStoreError) in
            try await store.upstreamAnswers(to: campaign)
        }
        guard !answers.isEmpty else { return }
        var source = UpstreamOutcomes(answers, fingerprinter: fingerprinter)
        do throws(OutcomeImportError) {
            _ = try await OutcomeImporter(into: store).store(&source)
        } catch {
            // The source is in memory.
            guard case .state(let error) = error else { return }
            throw CommandFailure(error)
        }
    }

    private func campaigns(
        _ reader: ExperimentReader,
        in state: EnvironmentState,
        store: any TableStore
    ) async throws(CommandFailure) -> [CampaignID] {
        if let campaign { return [try await state.campaign(campaign, in: store)] }
        return try await mapExperimentErrors(in: state) { () async throws(ExperimentError) in
            try await reader.campaigns()
        }
    }

    private func request(for campaign: CampaignID) -> ResultRequest {
        ResultRequest(
            campaign: campaign,
            outcome: outcome,
            expectation: expectation.expectation,
            isRecorded: !noRecord
        )
    }

    private func show(
        _ results: [ExperimentResult],
        in state: EnvironmentState
    ) throws(CommandFailure) {
        let hint = CommandHint(for: state.environment)
        let text =
            switch output.format {
            case .text:
                ResultTextView(style: out == nil ? options.outputStyle : .plain, hint: hint)
                    .render(results)
            case .json: ResultJSONView().render(results)
            case .html: ResultHTMLView(hint: hint).render(results)
            }
        guard let out else { return Output.data(text) }
        do throws(SystemError) {
            try AtomicFile(out).write(Array(text.utf8), permissions: 0o644)
        } catch {
            throw CommandFailure(.unwritableOutput(out, because: error.reason))
        }
        Output.message(FileWording.wrote(out))
    }
}

/// What the user expects before the first look.
struct ExpectationOptions: ParsableArguments {
    enum Goal: String, ExpressibleByArgument, CaseIterable {
        case more
        case less
    }

    @Option(help: "Expected share of the control with the outcome, such as 4%. (default: 5%)")
    var baseline: ShareOrAmount?

    @Option(help: "Compare mean values instead. Expected standard deviation per subject.")
    var deviation: Double?

    @Option(help: "Smallest difference that matters: 0.5%, or an amount. (default: a tenth)")
    var smallestDifference: ShareOrAmount?

    @Option(help: "Whether more or less is better. (default: more)")
    var goal: Goal?

    func validate() throws {
        if let baseline, !(baseline.value > 0 && baseline.value < 1) {
            throw ValidationError("--baseline must be above 0% and below 100%")
        }
        guard deviation.map({ $0 > 0 && $0.isFinite }) ?? true else {
            throw ValidationError("--deviation must be positive")
        }
        guard smallestDifference.map({ $0.value > 0 && $0.value.isFinite }) ?? true else {
            throw ValidationError("--smallest-difference must be positive")
        }
        guard baseline == nil || deviation == nil else {
            throw ValidationError("--baseline cannot be combined with --deviation")
        }
    }

    var expectation: ResultExpectation {
        ResultExpectation(
            measure: deviation.map { .mean(deviation: $0) }
                ?? baseline.map { .share(rate: $0.value) },
            smallestDifference: smallestDifference?.value,
            wantsLess: goal.map { $0 == .less }
        )
    }
}

/// `4%` or `0.04`.
struct ShareOrAmount: ExpressibleByArgument {
    let value: Double

    init?(argument: String) {
        let isShare = argument.hasSuffix("%")
        guard let number = Double(isShare ? String(argument.dropLast()) : argument) else {
            return nil
        }
        value = isShare ? number / 100 : number
    }
}

/// Performs an operation on experiments and converts its error to a command failure.
func mapExperimentErrors<Value>(
    in state: EnvironmentState,
    _ body: () async throws(ExperimentError) -> Value
) async throws(CommandFailure) -> Value {
    do { return try await body() } catch {
        if case .state(let error) = error { throw CommandFailure(error) }
        guard let text = ErrorText(error, hint: CommandHint(for: state.environment)) else {
            preconditionFailure("an error of an experiment has no text")
        }
        if case .temporaryFile = error { throw CommandFailure(text) }
        throw CommandFailure(text, exit: .usage)
    }
}
