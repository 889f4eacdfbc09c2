import ArgumentParser
import CampaignModel
import Presentation
import Text
import JSON
import Scheduling
import Time

/// The `herald explain` command, which explains a rule, an error code, a condition or a schedule.
struct Explain: AsyncParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text
        case json
    }

    static let configuration = CommandConfiguration(
        abstract: "Say what a rule, a condition, a schedule or an error code of FCM's means.",
        discussion: """
            EXAMPLES
              herald explain dated-content-without-ttl
              herald explain UNREGISTERED
              herald explain '30 7 * * MON-FRI' --timezone Europe/Berlin
              herald explain 'FREQ=MONTHLY;BYDAY=-1FR' --start '2037-01-30 18:00' --next 12
              herald explain '0 2 * * *' --timezone America/New_York --format json
              herald explain "'tides' in topics && 'azores' in topics"

            A rule comes with its reason, an example and what to use instead; `herald rules` lists \
            them all. An error code of FCM's comes with what happened, whether Herald repeats the \
            request, and what to do. Several of both may be given.

            A condition is known by its quoted topics: shown are the sets of subscriptions that it \
            reaches, and what is wrong with it; several may be given. A recurrence rule is known \
            by its FREQ=; everything else is read as cron. The moments come with what the zone's \
            clocks do to them: a local time that is skipped moves forward, one that comes twice \
            is due the first time.
            """
    )

    @OptionGroup var options: GlobalOptions

    @Argument(
        help:
            "Names of rules and codes; or, in quotation marks, conditions or one schedule.",
        completion: .explained
    )
    var expressions: [String]

    @OptionGroup var schedule: ScheduleOptions

    @Option(help: "How the answer is written; of a schedule json is an array of moments.")
    var format = Format.text

    func run() async throws {
        try await options.reportingFailure {
            if expressions.allSatisfy(ConditionExplanation.looksLikeCondition) {
                return try ConditionExplanation.explain(expressions, as: format, options)
            }
            if let named = NamedExplanation.all(named: expressions) {
                return Output.data(named.render(as: format, options.outputStyle))
            }
            try Self.refuseUnknownName(expressions)
            let expression = try schedule.only(of: expressions)
            let surroundings = try Surroundings.current()
            let pattern: SlotPattern
            let words: [RuleWords]
            switch ExpressionShape(expression) {
            case .cron: (pattern, words) = try schedule.cron(expression)
            case .recurrence: (pattern, words) = try schedule.recurrence(expression)
            }
            let view = ScheduleExplanation(
                words: words,
                occurrences: Occurrences(pattern, in: try schedule.rules(surroundings.zones)),
                from: try schedule.moment ?? surroundings.clock.now(),
                count: schedule.next
            )
            switch format {
            case .text: Output.data(view.text(options.outputStyle))
            case .json: Output.data(view.json.prettyText + "\n")
            }
        }
    }
}

extension Explain {
    /// Rejects single words as unknown names, because a schedule has several words.
    fileprivate static func refuseUnknownName(_ texts: [String]) throws(CommandFailure) {
        guard texts.allSatisfy(isWord),
            let name = texts.first(where: { NamedExplanation.named($0).isEmpty })
        else { return }
        let near = SpellingSuggestion.key(name, among: NamedExplanation.names)
        throw CommandFailure(
            "`\(name)` is no rule, no error code of FCM's that Herald knows, and no expression",
            help: near.map { "did you mean `\($0)`?" }
                ?? "`herald rules` lists the rules; else give a code such as UNREGISTERED, a "
                + "condition, five cron fields or an RRULE",
            exit: .invalidFiles
        )
    }

    private static func isWord(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { "_-".utf8.contains($0) || $0.isASCIILetterOrDigit }
    }
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
    @Option(help: "The IANA zone on whose clocks the times are; UTC without it.")
    var timezone = "UTC"

    @Option(help: "How many moments to show.")
    var next = 5

    @Option(help: "Show the moments after this one, as in 2037-03-20T08:30:00Z; now without it.")
    var from: String?

    @Option(help: "The first local time of a recurrence rule (DTSTART), '2037-03-20 07:30'.")
    var start: String?

    @Option(help: "A local time that a recurrence rule leaves out (EXDATE); may be repeated.")
    var except: [String] = []

    func validate() throws {
        guard (1...10_000).contains(next) else {
            throw ValidationError("--next is 1 to 10000")
        }
    }

    func only(of expressions: [String]) throws(CommandFailure) -> String {
        guard let expression = expressions.first, expressions.count == 1 else {
            throw CommandFailure(
                "\(expressions.count) expressions are given, and not all are conditions",
                help: "explain one schedule at a time, in quotation marks",
                exit: .usage
            )
        }
        return expression
    }

    func cron(_ text: String) throws(CommandFailure) -> (SlotPattern, [RuleWords]) {
        guard start == nil, except.isEmpty else {
            throw CommandFailure(
                "a cron expression has neither --start nor --except",
                help: "leave them out, or write a recurrence rule",
                exit: .usage
            )
        }
        do {
            let schedule = try CronSchedule(parsing: text)
            return (.cron(schedule), schedule.words)
        } catch {
            throw CommandFailure(error.message, help: error.help, pointingAt: error.range, of: text)
        }
    }

    func recurrence(_ text: String) throws(CommandFailure) -> (SlotPattern, [RuleWords]) {
        guard let start else {
            throw CommandFailure(
                "a recurrence rule needs its start",
                help: "add --start '2037-03-20 07:30', its first local time",
                exit: .usage
            )
        }
        let first = try local(start)
        var exceptions: Set<CivilDateTime> = []
        for text in except { exceptions.insert(try local(text)) }
        do {
            let rule = try RecurrenceRule(parsing: text, start: first, exceptions: exceptions)
            return (.recurrence(rule), rule.words)
        } catch {
            throw CommandFailure(error.message, help: error.help, pointingAt: error.range, of: text)
        }
    }

    private func local(_ text: String) throws(CommandFailure) -> CivilDateTime {
        guard let local = CivilDateTime(parsing: text) else {
            throw CommandFailure(
                "`\(TextStyle.safe(text))` is no local date and time",
                help: "write '2037-03-20 07:30'",
                exit: .usage
            )
        }
        return local
    }

    /// The start time; nil for the current time.
    var moment: Instant? {
        get throws(CommandFailure) {
            guard let from else { return nil }
            guard let moment = Instant(rfc3339: from) else {
                throw CommandFailure(
                    "--from is `\(TextStyle.safe(from))`, which is no moment",
                    help: "write 2037-03-20T08:30:00Z",
                    exit: .usage
                )
            }
            return moment
        }
    }

    func rules(_ zones: TimeZoneDatabase) throws(CommandFailure) -> TimeZoneRules {
        do {
            return try zones.rules(named: timezone)
        } catch {
            let near = SpellingSuggestion.nearest(to: timezone, among: zones.names())
            throw CommandFailure(
                "`\(TextStyle.safe(timezone))` is not a time zone that this system knows",
                help: near.map { "did you mean `\($0)`?" }
                    ?? "write an IANA name such as `Europe/Berlin`",
                exit: .usage
            )
        }
    }
}

extension CommandFailure {
    /// Creates a failure that shows the given text and marks `range` in it, in UTF-8 offsets.
    fileprivate init(
        _ message: String,
        help: String,
        pointingAt range: Range<Int>,
        of text: String
    ) {
        let bytes = Array(text.utf8)
        let before = String(decoding: bytes[..<range.lowerBound], as: UTF8.self)
        let marked = String(decoding: bytes[range], as: UTF8.self)
        let mark =
            String(repeating: " ", count: TextStyle.safe(before).count)
            + String(repeating: "^", count: max(1, TextStyle.safe(marked).count))
        self.init(
            "\(TextStyle.safe(message))\n  \(TextStyle.safe(text))\n  \(mark)",
            help: TextStyle.safe(help),
            exit: .invalidFiles
        )
    }
}
