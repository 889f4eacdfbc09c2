import Applying
import CampaignModel
import JSON
import State
import Time

/// Declares the JSON of `herald calendar`.
package enum CalendarJSON {
    /// Additions raise the minor version, other changes the major version.
    package static let formatVersion = "1.0"

    package static let schema = PublishedSchema(
        name: "calendar",
        title: "Herald calendar",
        root: calendar.schema,
        definitions: [send.entry]
    )

    static let calendar = JSONShape<CalendarDescription>(
        "Output of `herald calendar --format json`: sends by day and audience.",
        [
            .required(
                "format_version",
                .text(pattern: "^1\\.[0-9]+$"),
                about: "Additions raise the second number, other changes the first."
            ) { _ in formatVersion },
            .required("project", .text, about: "Project.") { $0.scope.project.rawValue },
            .required("environment", .text, about: "Environment.") {
                $0.scope.environment.rawValue
            },
            .required("lineage", .text, about: "Lineage of the state.") { $0.scope.lineage.text },
            .required("serial", .count, about: "Serial of the state.") { $0.scope.serial.number },
            .required("now", .moment, about: "Time of the calendar.") { $0.scope.now },
            .required("timezone", .text, about: "Time zone of the days.") { $0.scope.zone.name },
            .required("from", .date, about: "First day.") { $0.scope.days.lowerBound },
            .required("to", .date, about: "Last day.") { $0.scope.days.upperBound },
            .required(
                "days",
                .list(of: .object(day)),
                about: "Days with sends, in order."
            ) { $0.days },
            .required(
                "cut",
                .list(of: .text),
                about: "Campaigns with more sends than a calendar contains."
            ) { $0.calendar.cut.map(\.rawValue) },
            .required(
                "not_stored",
                .list(of: .text),
                about: "Campaigns whose later sends the state does not contain."
            ) { $0.calendar.notStored.map(\.rawValue) },
        ]
    )

    private static let day = JSONShape<CalendarDay>(
        "A day.",
        [
            .required("date", .date, about: "Date in `timezone`.") { $0.date },
            .required(
                "audiences",
                .list(of: .object(audience)),
                about: "Audiences with sends on the day."
            ) { $0.audiences },
        ]
    )

    private static let audience = JSONShape<CalendarDayAudience>(
        "An audience on a day.",
        [
            .required("kind", .choice, about: "What the sends address.") { $0.audience.kind },
            .required(
                "name",
                .nullable(.text),
                about: "Its name; the path of a list without a name; null if it is unknown."
            ) { $0.audience.kind == .unknown ? nil : $0.audience.name },
            .required(
                "sends",
                .list(of: .reference(to: send)),
                about: "Sends by due time, then by campaign."
            ) { $0.entries },
        ]
    )

    private static let send = JSONDefinition(
        "send",
        of: JSONShape<CalendarEntry>("A send of a campaign.", sendMembers)
    )

    private static let sendMembers: [JSONMember<CalendarEntry>] = [
        .required("occurrence", .occurrence, about: "campaign/slot/revision") { $0.id },
        .required("campaign", .text, about: "Campaign.") { $0.id.campaign.rawValue },
        .required("state", .openChoice, about: "State of the send.") { $0.state },
        .required("due", .moment, about: "Due time.") { $0.due.instant },
        .required("due_local", .text, about: "Due time in the time zone of the campaign.") {
            "\($0.due.local) \($0.due.zone)"
        },
        .required(
            "deferred_from",
            .nullable(.moment),
            about: "Due time without quiet hours, if they defer the send."
        ) { $0.deferredFrom },
        .required(
            "recorded",
            .flag,
            about: "Whether the state contains the send; otherwise, only its rule."
        ) { $0.isRecorded },
        .required(
            "devices",
            .nullable(.count),
            about: "Length of the list, or declared reach; null if unknown."
        ) { $0.devices },
        .required(
            "counts",
            .nullable(.object(counts)),
            about: "Requests by outcome; null before the send."
        ) { $0.counts },
        .required(
            "capped",
            .count,
            about: "Suppressed requests whose people are over the frequency cap."
        ) { $0.capped },
        .required(
            "run",
            .nullable(.count),
            about: "Run that last changed the send or its rule."
        ) { $0.change?.run.number },
        .required("changed", .nullable(.moment), about: "End of that run.") { $0.change?.moment },
    ]

    private static let counts = JSONShape<RequestCounts>(
        "Requests by outcome, as in `herald status`.",
        RequestCounts().named.map { count in
            .required(count.name, .count) { counts in
                counts.named.first { $0.name == count.name }?.count ?? 0
            }
        }
    )
}

extension JSONType where Value == CivilDate {
    /// For example, `2037-03-20`.
    fileprivate static let date = JSONType<String>.text(pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$")
        .reading(\CivilDate.description)
}

/// Renders a calendar as JSON.
package struct CalendarJSONView {
    package init() {}

    package func render(_ calendar: CalendarDescription) -> String {
        JSONValue.object(CalendarJSON.calendar.json(of: calendar)).prettyText + "\n"
    }
}
