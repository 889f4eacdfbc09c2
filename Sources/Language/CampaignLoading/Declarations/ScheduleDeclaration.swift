package import CampaignModel
import Diagnostics
import Text
import FCMWire
import JSON
package import Time

/// The content of `schedule:`.
package struct ScheduleDeclaration: Sendable {
    package enum InQuietHours: String, Sendable, CaseIterable {
        case send
    }

    package var at: Spanned<CivilDateTime>?
    package var cron: Spanned<CronDeclaration>?
    package var rrule: Spanned<RecurrenceDeclaration>?
    package var except: Spanned<[Spanned<CivilDateTime>]>?
    package var timezone: Spanned<String>?
    package var from: Spanned<CivilDateTime>?
    package var until: Spanned<CivilDateTime>?
    package var late: Spanned<Timeliness.Late>?
    package var lateAfter: Spanned<Int64>?
    package var inQuietHours: Spanned<InQuietHours>?
    package var reason: Spanned<String>?
    /// Whether nothing in it was refused; only then its keys are compared.
    var isWhole = true

    package static let reader = MappingReader<ScheduleDeclaration>(
        "`schedule`",
        kinds + bounds + policies,
        oneOf: [["at", "cron", "rrule"]],
        needs: [
            .init("rrule", beside: "from"), .init("except", beside: "rrule"),
            .init("from", beside: "cron", "rrule"),
            .init("during_quiet_hours", beside: "reason"),
            .init("reason", beside: "during_quiet_hours"),
        ]
    )

    private static let kinds: [Field<ScheduleDeclaration>] = [
        .optional(
            "at",
            \.at,
            .moment,
            "One local date and time.",
            examples: ["2037-03-20 07:30"]
        ),
        .optional(
            "cron",
            \.cron,
            .cron,
            "Minute, hour, day of the month, month and weekday, as cron has them.",
            examples: ["30 7 * * MON-FRI"]
        ),
        .optional(
            "rrule",
            \.rrule,
            .recurrence,
            "A recurrence rule of RFC 5545; `from` is its first local time (DTSTART).",
            examples: ["FREQ=MONTHLY;BYDAY=-1FR"]
        ),
        .optional(
            "except",
            \.except,
            .list(of: .moment),
            "Local times that the rule leaves out (EXDATE)."
        ),
    ]

    private static let bounds: [Field<ScheduleDeclaration>] = [
        .optional(
            "timezone",
            \.timezone,
            .text,
            "The IANA zone of the times; the project's where nothing is said.",
            examples: ["Europe/Berlin"]
        ),
        .optional(
            "from",
            \.from,
            .moment,
            "The first local time that counts; a recurrence rule begins there."
        ),
        .optional("until", \.until, .moment, "The last local time that counts."),
    ]

    private static let policies: [Field<ScheduleDeclaration>] = [
        .optional(
            "late",
            \.late,
            .choice,
            "What becomes of a send that is late: `fail` by default for `at`, `skip` for rules."
        ),
        .optional(
            "late_after",
            \.lateAfter,
            .duration,
            "How far past its moment a send is late; 10m where nothing is said.",
            examples: ["10m"]
        ),
        .optional(
            "during_quiet_hours",
            \.inQuietHours,
            .choice,
            "`send` does not wait for the end of quiet hours; `reason` says why."
        ).later,
        .optional("reason", \.reason, .text, "Why it is sent in quiet hours.").later,
    ]
}

extension ValueReader where Value == ScheduleDeclaration {
    static let schedule = ValueReader(.mapping(ScheduleDeclaration.reader.schema)) { node, log in
        let errors = log.errorCount
        var schedule = ScheduleDeclaration()
        guard ScheduleDeclaration.reader.read(node, into: &schedule, &log) else { return nil }
        schedule.isWhole = log.errorCount == errors
        return schedule
    }
}
