import Applying
import CampaignModel
import JSON
package import State

extension HistoryJSON {
    static let join = Table(
        fields: requestMembers,
        document: StreamedDocument(
            head: JSONShape<RunID>(
                "The list requests of a run.",
                [version(), .required("run", .count, about: "The run.") { $0.number }]
            ),
            name: "requests",
            of: .reference(to: request),
            layout: .line
        )
    )

    static let request = JSONDefinition(
        "request",
        of: JSONShape("A request with the columns of a list.", TableRow.members(of: requestMembers))
    )

    private static let requestMembers: [JSONMember<JoinedRequest>] = [
        .required("occurrence", .occurrence, about: "campaign/slot/revision") { $0.occurrence },
        .required("request", .count, about: "Position in the list, from 1.") { $0.number },
        .required(
            "registration",
            .nullable(.fingerprint),
            about: "Fingerprint of the registration."
        ) { $0.fingerprint },
        .required("outcome", .choice, about: "Outcome.") { $0.state },
        .required("detail", .nullable(.text), about: "FCM's reason.") { $0.detail },
        .required("message", .nullable(.text), about: "FCM message ID.") { $0.messageID },
    ]
}

extension TableView<RunID, JoinedRequest> {
    /// The requests of a run, with columns of a list.
    package init(_ format: TableFormat, requestsOf run: RunID, columns: [String]) {
        self.init(format, of: HistoryJSON.join, head: run, columns: columns)
    }
}
