package import CampaignModel
import JSON
import Service
import State
package import Time

/// Declares the lines of `herald run --log-format json`.
package enum ServiceLogJSON {
    /// Additions raise the minor version, other changes the major version.
    package static let formatVersion = "1.1"

    package static let schema = PublishedSchema(
        name: "log",
        title: "Herald service log",
        root: shape.schema
    )

    /// One line, with its line break.
    package static func line(
        _ entry: ServiceLogEntry,
        in environment: EnvironmentID?,
        at now: Instant
    ) -> String {
        let line = Line(entry: entry, environment: environment, at: now)
        return JSONValue.object(shape.json(of: line)).compactText + "\n"
    }

    private struct Line {
        let entry: ServiceLogEntry
        let environment: EnvironmentID?
        let at: Instant
    }

    private static let shape = JSONShape<Line>(
        "A line of `herald run --log-format json`. Later versions with the same first number may add members and events.",
        [
            .required(
                "format",
                .text(pattern: "^1\\.[0-9]+$"),
                about: "Additions raise the second number, other changes the first."
            ) { _ in
                formatVersion
            },
            .required("time", .moment, about: "Time of the event.") { $0.at },
            .required("level", .choice, about: "Severity.") { $0.entry.level },
            .required("event", .openChoice, about: "What happened.") { $0.entry.event },
            .required("message", .text, about: "The event as text.") { $0.entry.message },
            .optional("environment", .text, about: "Name, once it is known.") {
                $0.environment?.rawValue
            },
            .optional("occurrence", .occurrence, about: "campaign/slot/revision") {
                $0.entry.occurrence
            },
            .optional("counts", .object(OutcomeTally.shape)) { $0.entry.counts },
            .optional("problem", .openChoice, about: "Kind of the problem, as in /readyz.") {
                $0.entry.problem
            },
            .optional("next", .moment, about: "When the next send is due.") { $0.entry.next },
            .optional(
                "holder",
                .object(HolderJSON.shape),
                about: "The process for which the service waits."
            ) { $0.entry.holder },
        ]
    )
}
