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
    package var atColumn: Spanned<String>?
    package var except: Spanned<[Spanned<CivilDateTime>]>?
    package var timezone: Spanned<String>?
    package var from: Spanned<CivilDateTime>?
    package var until: Spanned<CivilDateTime>?
    package var late: Spanned<LatePolicy.Late>?
    package var lateAfter: Spanned<Int64>?
    package var jitter: Spanned<Int64>?
    package var inQuietHours: Spanned<InQuietHours>?
    package var reason: Spanned<String>?
    /// Whether the times are in the zones of the recipients.
    var isPerZone: Bool { timezone?.value == SlotDivision.recipientZone }

    /// Whether all of it is valid; only then it defines the times of the sends.
    var isWhole = true

    package static let reader = MappingReader<ScheduleDeclaration>(
        "`schedule`",
        fields: kinds + bounds + policies,
        oneOf: [["at", "cron", "rrule", "at_column"]],
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
            at: \.at,
            as: .moment,
            about: "One local date and time.",
            examples: ["2037-03-20 07:30"]
        ),
        .optional(
            "cron",
            at: \.cron,
            as: .cron,
            about: "Cron expression: minute, hour, day of month, month, weekday.",
            examples: ["30 7 * * MON-FRI"]
        ),
        .optional(
            "rrule",
            at: \.rrule,
            as: .recurrence,
            about: "RFC 5545 recurrence rule. `from` is its first local time (DTSTART).",
            examples: ["FREQ=MONTHLY;BYDAY=-1FR"]
        ),
        .optional(
            "at_column",
            at: \.atColumn,
            as: .columnName,
            about:
                "Column of the list with the time of each row: `YYYY-MM-DD HH:MM` in the row's "
                + "time zone, or RFC 3339 with an offset.",
            examples: ["next_tide"]
        ),
        .optional(
            "except",
            at: \.except,
            as: .list(of: .moment),
            about: "Local times to leave out of the rule (EXDATE)."
        ),
    ]

    private static let bounds: [Field<ScheduleDeclaration>] = [
        .optional(
            "timezone",
            at: \.timezone,
            as: .text,
            about:
                "IANA time zone of the times (default: the project's). `recipient` stands for "
                + "that of each row of the list.",
            examples: ["Europe/Berlin", "recipient"]
        ),
        .optional(
            "from",
            at: \.from,
            as: .moment,
            about: "First local time that counts. A recurrence rule starts there."
        ),
        .optional("until", at: \.until, as: .moment, about: "Last local time that counts."),
    ]

    private static let policies: [Field<ScheduleDeclaration>] = [
        .optional(
            "late",
            at: \.late,
            as: .choice,
            about: "What to do about a late send (default: `fail` for `at`, `skip` for rules)."
        ),
        .optional(
            "late_after",
            at: \.lateAfter,
            as: .duration,
            about: "How long after its due time a send is late (default: 10m).",
            examples: ["10m"]
        ),
        .optional(
            "jitter",
            at: \.jitter,
            as: .duration,
            about: "Each send is due up to this much later, by a hash of its name (default: 0).",
            examples: ["5m"]
        ),
        .optional(
            "during_quiet_hours",
            at: \.inQuietHours,
            as: .choice,
            about: "`send` does not wait until quiet hours end. Explain it in `reason`."
        ),
        .optional("reason", at: \.reason, as: .text, about: "Reason for sending in quiet hours."),
    ]
}

extension ValueReader where Value == ScheduleDeclaration {
    static let schedule = ValueReader(.mapping(ScheduleDeclaration.reader.schema)) { node, log in
        let errors = log.errorCount
        var schedule = ScheduleDeclaration()
        guard ScheduleDeclaration.reader.read(node, into: &schedule, reportingTo: &log) else {
            return nil
        }
        schedule.isWhole = log.errorCount == errors
        return schedule
    }
}
