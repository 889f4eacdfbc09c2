import CampaignModel
import JSON
import Planning
import State
import Time

/// Declares the JSON plan.
package enum PlanJSON {
    /// Additions raise the minor version, other changes the major version.
    package static let formatVersion = "2.0"

    package static let schema = PublishedSchema(
        name: "plan",
        title: "Herald plan",
        root: document.schema
    )

    struct Document {
        let plan: Plan
        let summary: PlanSummary
        /// The project's ID in FCM.
        let projectOnWire: String
        /// Whether the plan was made from the environment's state.
        let knowsState: Bool
        /// The number of registrations to list of each set; nil for all.
        let limit: Int?
    }

    static let document = JSONShape(
        "The changes that `herald apply` would make, as written by `herald plan --format json` "
            + "and `--out`.",
        headMembers + contentMembers,
        sealedBy: .required(
            "checksum",
            .text(pattern: "^[0-9a-f]{64}$"),
            about: "SHA-256 of all other members, as compact JSON with sorted keys."
        ) { ReviewedPlan.checksum(of: $0) }
    )

    /// Whether the plan was made from the state.
    private enum StateKnowledge: String, CaseIterable {
        case known
        case unknown
    }

    private static let isKnown = JSONCondition("state", isOneOf: [StateKnowledge.known])

    private static let headMembers: [JSONMember<Document>] = [
        .required("destination", .object(destination)) { $0.plan.destination },
        .required(
            "format_version",
            .text(pattern: "^2\\.[0-9]+$"),
            about: "Additions raise the second number, other changes the first."
        ) { _ in
            formatVersion
        },
        .required("project", .text, about: "Name of the project.") { $0.plan.project.rawValue },
        .required("environment", .text, about: "Name of the environment.") {
            $0.plan.environment.rawValue
        },
        .required(
            "state",
            .choice,
            about: "Whether the plan was made from the state: `unknown` with `--without-state`. "
                + "Such a plan cannot be applied."
        ) { $0.knowsState ? StateKnowledge.known : .unknown },
        .optional(
            "lineage",
            .text,
            about: "Identifies the state.",
            requiredIf: isKnown
        ) { $0.knowsState ? $0.plan.lineage.text : nil },
        .required("now", .moment, about: "Time for which the plan was made.") { $0.plan.now },
        .optional(
            "digest",
            .digest,
            about: "Hash of `reviewed`, and the serial of the state that the plan was made from.",
            requiredIf: isKnown
        ) { $0.knowsState ? $0.plan.digest : nil },
        .required(
            "has_changes",
            .flag,
            about: "Whether an apply would send, change or record anything."
        ) { $0.plan.hasChanges },
        .required("summary", .object(summary)) { $0.summary },
    ]

    private static let contentMembers: [JSONMember<Document>] = [
        .required(
            "memberships",
            .list(of: .object(membership)),
            about: "Joins and leaves, by audience and topic."
        ) { document in
            document.plan.memberships.map { ShownMembership(change: $0, limit: document.limit) }
        },
        .required(
            "campaigns",
            .list(of: .object(campaign)),
            about: "The effect on each campaign."
        ) { ActionGroup.groups(of: $0.plan.campaigns) },
        .required("notices", .list(of: .object(notice)), about: "Remarks for reviewers.") {
            document in
            document.plan.notices.map { ShownNotice(notice: $0, limit: document.limit) }
        },
        .required(
            "guards",
            .list(of: .object(guardOutcome)),
            about: "Guards whose limits are exceeded."
        ) { document in
            document.plan.guards.map {
                WordedGuardOutcome($0, environment: document.plan.environment)
            }
        },
        .optional(
            "objectives",
            .list(of: .object(objective)),
            about: "Verdicts on objectives of campaigns that the plan sends, schedules or changes."
        ) { document in
            let objectives = document.plan.objectives
            return objectives.isEmpty ? nil : objectives
        },
        .required(
            "left_out",
            .count,
            about: "Number of campaigns that `--only` and `--except` excluded."
        ) { $0.plan.leftOut },
        .required(
            "elsewhere",
            .list(of: .text),
            about: "Campaigns in the files that do not belong to the environment."
        ) { $0.plan.elsewhere.map(\.rawValue) },
        .required(
            "requests",
            .list(of: .object(request)),
            about: "Every request, as it would be sent."
        ) { document in
            ComputedElements { visit in
                document.plan.forEachRequest(project: document.projectOnWire) {
                    visit(ShownRequests($0, limit: document.limit))
                }
            }
        },
        .optional("reviewed", .written(by: ReviewedPlan.shape), requiredIf: isKnown) {
            $0.knowsState ? $0.plan.reviewed.content : nil
        },
    ]
}

// MARK: - Parts

extension PlanJSON {
    static let destination = JSONShape<PlanDestination>(
        "Where the requests go.",
        [
            .required("environment", .text, about: "Name of the environment.") {
                $0.environment.rawValue
            },
            .required(
                "project_id",
                .text,
                about: "Firebase project ID. An emulator uses the name of the project."
            ) { $0.projectID },
            .required(
                "endpoint",
                .text,
                about: "Address of the server, or `emulator` for the project's own emulator."
            ) { $0.server.address },
            .required("protected", .flag, about: "Whether the environment is protected.") {
                $0.isProtected
            },
        ]
    )

    private static let summary = JSONShape<PlanSummary>(
        "Counts of the planned changes.",
        [
            .required("joins", .count, about: "Registrations that join.") { $0.joins },
            .required("leaves", .count, about: "Registrations that leave.") { $0.leaves },
            .required(
                "forgotten",
                .count,
                about: "Memberships that are deleted without a request."
            ) { $0.forgotten },
            .required(
                "noted",
                .count,
                about: "Memberships that are recorded without a request."
            ) { $0.noted },
            .required("sends", .count, about: "Occurrences that are sent.") { $0.sends },
            .required("scheduled", .count, about: "Occurrences that are scheduled or handed over.")
            {
                $0.scheduled
            },
            .required("changed", .count, about: "Campaigns that change.") { $0.changed },
            .required("removed", .count, about: "Campaigns that are removed.") { $0.cancelled },
            .required("expired", .count, about: "Occurrences that are too late.") { $0.expired },
            .required(
                "stopped",
                .count,
                about: "Occurrences that stopped at an unknown outcome."
            ) { $0.stopped },
            .required("paused", .count, about: "Occurrences that are paused.") { $0.paused },
            .required("requests", .count, about: "Requests that the plan needs.") {
                $0.requests
            },
        ]
    )
}

/// A request as every JSON view shows it.
struct ShownRequest {
    let body: JSONValue
    let path: String

    static let shape = JSONShape("A request.", members)

    static let members: [JSONMember<ShownRequest>] = [
        .required("method", .text, about: "HTTP method.") { _ in "POST" },
        .required("path", .text, about: "Path of the URL.") { $0.path },
        .required("body", .anyObject, about: "Body.") { $0.body },
    ]
}
