package import CampaignModel
import Diagnostics
import JSON
import Text
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
    package var late: Spanned<LatePolicy.Late>?
    package var lateAfter: Spanned<Int64>?
    package var inQuietHours: Spanned<InQuietHours>?
    package var reason: Spanned<String>?
    /// Whether all of it is valid; its keys are compared only in this case.
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
            "Cron expression: minute, hour, day of month, month, weekday.",
            examples: ["30 7 * * MON-FRI"]
        ),
        .optional(
            "rrule",
            \.rrule,
            .recurrence,
            "RFC 5545 recurrence rule. `from` is its first local time (DTSTART).",
            examples: ["FREQ=MONTHLY;BYDAY=-1FR"]
        ),
        .optional(
            "except",
            \.except,
            .list(of: .moment),
            "Local times to leave out of the rule (EXDATE)."
        ),
    ]

    private static let bounds: [Field<ScheduleDeclaration>] = [
        .optional(
            "timezone",
            \.timezone,
            .text,
            "IANA time zone of the times (default: the project's).",
            examples: ["Europe/Berlin"]
        ),
        .optional(
            "from",
            \.from,
            .moment,
            "First local time that counts. A recurrence rule starts there."
        ),
        .optional("until", \.until, .moment, "Last local time that counts."),
    ]

    private static let policies: [Field<ScheduleDeclaration>] = [
        .optional(
            "late",
            \.late,
            .choice,
            "What to do about a late send (default: `fail` for `at`, `skip` for rules)."
        ),
        .optional(
            "late_after",
            \.lateAfter,
            .duration,
            "How long after its due time a send is late (default: 10m).",
            examples: ["10m"]
        ),
        .optional(
            "during_quiet_hours",
            \.inQuietHours,
            .choice,
            "`send` does not wait until quiet hours end. Explain it in `reason`."
        ).later,
        .optional("reason", \.reason, .text, "Reason for sending in quiet hours.").later,
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
