import ArgumentParser
import CampaignModel
import JSON
import Presentation
import Scheduling
import Text
import Time

/// The `herald explain` command, which explains a rule, an error code, a condition, a schedule or an
/// experiment.
struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        _superCommandName: "herald",
        abstract: "Explain a rule, condition, schedule, code or experiment.",
        discussion: """
            EXAMPLES
              herald explain dated-content-without-ttl
              herald explain UNREGISTERED
              herald explain '30 7 * * MON-FRI' --timezone Europe/Berlin
              herald explain 'FREQ=MONTHLY;BYDAY=-1FR' --start '2037-01-30 18:00' --next 12
              herald explain '0 2 * * *' --timezone America/New_York --format json
              herald explain "'tides' in topics && 'azores' in topics"
              herald explain spring-sale --baseline 4% --days 14

            For a rule, prints its reason, an example and what to use instead. `herald rules` \
            lists all rules. For an FCM error code, prints what happened, whether Herald retries \
            the request, and what to do. You can give several rules and codes.

            An argument with quoted topics is a condition. The output has the sets of \
            subscriptions that it reaches, and its problems. You can give several conditions. \
            Exits with 65 if a condition has an error.

            For a campaign with `variants` or a `holdout`, prints which differences its audience \
            can show, and by which day.

            An argument with FREQ= is a recurrence rule. Any other argument is a cron \
            expression. The due times include the effect of clock changes: a skipped local time \
            moves forward, and a repeated local time is due the first time.
            """
    )

    @OptionGroup var options: ProjectOptions

    @Argument(
        help:
            "Rules and codes; or, in quotation marks, conditions or one schedule.",
        completion: .explained
    )
    var expressions: [String]

    @OptionGroup var environment: EnvironmentOptions

    @OptionGroup var schedule: ScheduleOptions

    @OptionGroup var forecast: ForecastOptions

    @OptionGroup var output: FormatOptions<ExplainFormat>

    private var format: ExplainFormat { output.format }

    func run() async throws {
        try await options.reportingFailure {
            if expressions.allSatisfy(ConditionExplanation.looksLikeCondition) {
                return try ConditionExplanation.explain(expressions, as: format, options: options)
            }
            if let named = NamedExplanation.all(named: expressions) {
                return Output.data(named.render(as: format, in: options.outputStyle))
            }
            let experiment = ExperimentExplanation(
                options: options,
                environment: environment,
                forecast: forecast
            )
            if experiment.names(expressions) {
                return try experiment.explain(expressions[0], as: format)
            }
            try Self.refuseUnknownName(expressions)
            let expression = try schedule.only(of: expressions)
            let context = CommandContext.current
            let clock = try context.clock()
            let pattern: SlotPattern
            let wording: [RuleWording]
            switch ExpressionShape(expression) {
            case .cron: (pattern, wording) = try schedule.cron(expression)
            case .recurrence: (pattern, wording) = try schedule.recurrence(expression)
            }
            let explained = ScheduleExplanation(
                wording: wording,
                occurrences: Occurrences(pattern, in: try schedule.rules(context.zones)),
                from: try schedule.moment ?? clock.now(),
                count: schedule.next
            )
            switch format {
            case .text: Output.data(ScheduleTextView(style: options.outputStyle).render(explained))
            case .json: Output.data(ScheduleJSONView().value(explained).prettyText + "\n")
            }
        }
    }
}

extension ExplainCommand {
    /// Rejects single words as unknown names, because a schedule has several words.
    fileprivate static func refuseUnknownName(_ texts: [String]) throws(CommandFailure) {
        guard texts.allSatisfy(isWord),
            let name = texts.first(where: { NamedExplanation.named($0).isEmpty })
        else { return }
        let near = SpellingSuggestion.key(name, among: NamedExplanation.names)
        throw CommandFailure(.noExplanation(of: name, near: near), exit: .invalidFiles)
    }

    private static func isWord(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { "_-".utf8.contains($0) || $0.isASCIILetterOrDigit }
    }
}

/// The output formats of `herald explain`.
enum ExplainFormat: String, OutputFormat {
    case text
    case json

    static let help: ArgumentHelp =
        "Output format. For a schedule, json is an array of due times. (default: text)"
}

/// Guesses the kind of an expression.
///
/// Does not parse it.
enum ExpressionShape {
    case cron
    case recurrence

    init(_ text: String) {
        let text = text.uppercased()
        let isRule = text.hasPrefix("RRULE:") || text.contains("FREQ=")
        self = isRule ? .recurrence : .cron
    }
}

/// The options of `herald explain` for schedules.
struct ScheduleOptions: ParsableArguments {
    @Option(help: "IANA time zone of the schedule.")
    var timezone = "UTC"

    @Option(help: "Number of due times to show.")
    var next = 5

    @Option(help: "Start after this time, such as 2037-03-20T08:30:00Z. (default: now)")
    var from: String?

    @Option(help: "First local time of a recurrence rule (DTSTART): '2037-03-20 07:30'.")
    var start: String?

    @Option(help: "Local time to leave out of a recurrence rule (EXDATE). Repeatable.")
    var except: [String] = []

    func validate() throws {
        guard (1...10_000).contains(next) else {
            throw ValidationError("--next must be from 1 to 10000")
        }
    }

    func only(of expressions: [String]) throws(CommandFailure) -> String {
        guard let expression = expressions.first, expressions.count == 1 else {
            throw CommandFailure(.mixedExpressions(expressions.count), exit: .usage)
        }
        return expression
    }

    func cron(_ text: String) throws(CommandFailure) -> (SlotPattern, [RuleWording]) {
        guard start == nil, except.isEmpty else {
            throw CommandFailure(.cronWithStart, exit: .usage)
        }
        do {
            let schedule = try CronSchedule(parsing: text)
            return (.cron(schedule), schedule.wording)
        } catch {
            throw CommandFailure(
                ErrorText(error.message, help: error.help, pointingAt: error.range, of: text),
                exit: .invalidFiles
            )
        }
    }

    func recurrence(_ text: String) throws(CommandFailure) -> (SlotPattern, [RuleWording]) {
        guard let start else {
            throw CommandFailure(.recurrenceWithoutStart, exit: .usage)
        }
        let first = try local(start)
        var exceptions: Set<CivilDateTime> = []
        for text in except { exceptions.insert(try local(text)) }
        do {
            let rule = try RecurrenceRule(parsing: text, start: first, exceptions: exceptions)
            return (.recurrence(rule), rule.wording)
        } catch {
            throw CommandFailure(
                ErrorText(error.message, help: error.help, pointingAt: error.range, of: text),
                exit: .invalidFiles
            )
        }
    }

    private func local(_ text: String) throws(CommandFailure) -> CivilDateTime {
        guard let local = CivilDateTime(parsing: text) else {
            throw CommandFailure(.noLocalTime(text), exit: .usage)
        }
        return local
    }

    /// The start time; nil for the current time.
    var moment: Instant? {
        get throws(CommandFailure) {
            guard let from else { return nil }
            guard let moment = Instant(rfc3339: from) else {
                throw CommandFailure(.noStartTimestamp(from), exit: .usage)
            }
            return moment
        }
    }

    func rules(_ zones: TimeZoneDatabase) throws(CommandFailure) -> TimeZoneRules {
        do {
            return try zones.rules(named: timezone)
        } catch {
            let near = SpellingSuggestion.nearest(to: timezone, among: zones.names())
            throw CommandFailure(.noScheduleTimeZone(timezone, near: near), exit: .usage)
        }
    }
}
