import Applying
import ArgumentParser
import CampaignModel
import Presentation
import RegistrationLists
import State
import SystemIO
import Time

/// The `herald calendar` command, which shows what each audience received and will receive.
struct CalendarCommand: AsyncParsableCommand {
    enum Format: String, OutputFormat {
        case text
        case json
        case html
        case ics

        static let help = ArgumentHelp(
            "Output format. (default: text)",
            discussion:
                "text for people, html for a page, ics for calendar programs, json for programs."
        )
    }

    static let configuration = CommandConfiguration(
        commandName: "calendar",
        _superCommandName: "herald",
        abstract: "Show what each audience received and will receive, per day.",
        discussion: """
            EXAMPLES
              herald calendar
              herald calendar -e production --from 2037-03-01 --to 2037-03-31
              herald calendar -e production --format html --out calendar.html
              herald calendar -e production --format ics --out /srv/www/herald.ics
              herald calendar --state /var/lib/herald/production.sqlite

            Reads only the state, without campaign files, FCM or the lock. Shows what earlier \
            applies recorded: sent, scheduled, deferred, paused, held, expired and cancelled \
            sends, and the later sends of their rules. Days and times are in the project's time \
            zone.

            With ics, each send is an event. Its UID never changes: if a send moves, calendar \
            programs that subscribe to the file move its event.
            """
    )

    @OptionGroup var options: ProjectOptions
    @OptionGroup var environment: EnvironmentOptions

    @OptionGroup var output: FormatOptions<Format>

    @Option(
        help: ArgumentHelp(
            "The state's file or server. (default: the environment's)",
            valueName: "path|url"
        ),
        completion: .file()
    )
    var state: String?

    @Option(help: ArgumentHelp("First day, YYYY-MM-DD. (default: today)", valueName: "date"))
    var from: CalendarDate?

    @Option(
        help: ArgumentHelp(
            "Last day, YYYY-MM-DD. (default: four weeks in all)",
            valueName: "date"
        )
    )
    var to: CalendarDate?

    @Option(
        help: ArgumentHelp("Write into a file instead of standard output.", valueName: "file"),
        completion: .file()
    )
    var out: String?

    /// Number of days by default.
    private static let usualDays = 28
    /// Maximum number of days: ten years.
    private static let mostDays = 3_653

    func run() async throws {
        try await options.reportingFailure {
            let session = try Session(options)
            let target = try await AppliedTarget(
                at: try session.appliedState(at: state, orOf: environment),
                lists: nil,
                bypassing: [],
                in: session
            )
            let reader = CalendarReader(
                store: target.store,
                fingerprinter: target.fingerprinter,
                applied: target.applied,
                zones: session.context.zones
            )
            let now = session.clock.now()
            let days = try days(today: reader.zone.localTime(at: now).date)
            let calendar = try await mapStateErrors { () async throws(StateStoreError) in
                try await reader.calendar(of: days, at: now)
            }
            try show(CalendarDescription(calendar))
        }
    }

    private func days(today: CivilDate) throws(CommandFailure) -> ClosedRange<CivilDate> {
        let first = from?.date ?? today
        let usual = CivilDate(daysSince1970: first.daysSince1970 + Self.usualDays - 1)
        let last = to?.date ?? usual
        guard first <= last else {
            throw CommandFailure(.periodEndsBeforeBeginning(first, last), exit: .usage)
        }
        guard last.daysSince1970 - first.daysSince1970 < Self.mostDays else {
            throw CommandFailure(.longPeriod(first, last), exit: .usage)
        }
        return first...last
    }

    private func show(_ calendar: CalendarDescription) throws(CommandFailure) {
        // A file has no width and no colours.
        let style = out == nil ? options.outputStyle : .plain
        let text =
            switch output.format {
            case .text: CalendarTextView(style: style).render(calendar)
            case .json: CalendarJSONView().render(calendar)
            case .html: CalendarHTMLView().render(calendar)
            case .ics: ICalendarView().render(calendar)
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

/// A day in an option: `2037-03-20`.
struct CalendarDate: ExpressibleByArgument {
    let date: CivilDate

    init?(argument: String) {
        guard let midnight = CivilDateTime(parsing: argument + " 00:00") else { return nil }
        date = midnight.date
    }
}
