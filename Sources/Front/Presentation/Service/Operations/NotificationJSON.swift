package import CampaignModel
import JSON
import Planning
package import Service
import State
import Time

/// Declares the body of requests to a webhook.
package enum NotificationJSON {
    /// Additions raise the minor version, other changes the major version.
    package static let formatVersion = "1.0"

    package static let schema = PublishedSchema(
        name: "notification",
        title: "Herald notification",
        root: shape.schema
    )

    package static func body(
        of notification: ServiceNotification,
        from source: NotificationSource
    ) -> [UInt8] {
        let content = Content(notification: notification, source: source)
        return JSONValue.object(shape.json(of: content)).compactBytes
    }

    private struct Content {
        let notification: ServiceNotification
        let source: NotificationSource

        var occurrence: OccurrenceID? {
            if case .occurrence(let id, _, _) = notification.subject { id } else { nil }
        }

        var counts: OutcomeTally? {
            if case .occurrence(_, let counts, _) = notification.subject { counts } else { nil }
        }

        var wording: NotificationWording { NotificationWording(notification, from: source) }
    }

    private static let shape = JSONShape<Content>(
        "A request of `herald run` or `herald apply --due` to the webhook in `notify`. Later versions with the same first number may add members and events.",
        [
            .required(
                "format",
                .text(pattern: "^1\\.[0-9]+$"),
                about: "Additions raise the second number, other changes the first."
            ) { _ in
                formatVersion
            },
            .required(
                "id",
                .text(pattern: "^[0-9a-f]{32}$"),
                about: "Identifies the notification; a repeated one has the same ID."
            ) { $0.notification.id.text },
            .required("event", .openChoice, about: "What happened.") { $0.notification.event },
            .required("time", .moment, about: "Time of the event.") { $0.notification.at },
            .required("project", .text, about: "Name.") { $0.source.project.rawValue },
            .required("environment", .text, about: "Name.") { $0.source.environment.rawValue },
            .optional("campaign", .text, about: "Name.") { $0.occurrence?.campaign.rawValue },
            .optional("occurrence", .occurrence, about: "campaign/slot/revision") {
                $0.occurrence
            },
            .optional("counts", .object(OutcomeTally.shape)) { $0.counts },
            .required("text", .text, about: "The event as text, for Slack.") { $0.wording.text },
            .required(
                "blocks",
                .list(of: .object(block)),
                about: "The event as blocks of Slack's Block Kit."
            ) { [$0.wording] },
        ]
    )

    private static let block = JSONShape<NotificationWording>(
        "A section block.",
        [
            .constant("type", is: "section"),
            .required("text", .object(paragraph)) { $0 },
        ]
    )

    private static let paragraph = JSONShape<NotificationWording>(
        "Text in Slack's markup.",
        [
            .constant("type", is: "mrkdwn"),
            .required("text", .text, about: "At most 3,000 characters.") { $0.markup },
        ]
    )
}

/// The project and the environment that a notification comes from.
package struct NotificationSource: Hashable, Sendable {
    package let project: ProjectID
    package let environment: EnvironmentID

    package init(project: ProjectID, environment: EnvironmentID) {
        self.project = project
        self.environment = environment
    }
}
