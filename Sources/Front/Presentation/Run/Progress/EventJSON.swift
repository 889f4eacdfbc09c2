import Applying
import CampaignModel
import FCMClient
import JSON
import Memberships
import Planning
import RunControl
import Sending
import State
import Time

/// Declares the lines of `herald apply --json`.
package enum EventJSON {
    /// Additions raise the minor version, other changes the major version.
    package static let formatVersion = "1.1"

    package static let schema = PublishedSchema(
        name: "events",
        title: "Herald events",
        root: .oneOf(
            definitions,
            about:
                "A line of `herald apply --json`. Later versions with the same first number may add members and events."
        ),
        definitions: definitions
    )

    private static let definitions = EventName.allCases.map(entry)

    private static func entry(of name: EventName) -> JSONObject.Member {
        switch name {
        case .plan: plan.entry
        case .runBegan: runBegan.entry
        case .phaseBegan: phaseBegan.entry
        case .phaseProgressed: phaseProgressed.entry
        case .phaseEnded: phaseEnded.entry
        case .settling: settling.entry
        case .pausing: pausing.entry
        case .note: note.entry
        case .request: request.entry
        case .sending: sending.entry
        case .result: result.entry
        }
    }

    /// An event with its time.
    struct Line<Content> {
        let at: Instant
        let content: Content
    }

    static func event<Content>(
        _ name: EventName,
        about: String,
        members: [JSONMember<Content>]
    ) -> JSONDefinition<Line<Content>> {
        let head: [JSONMember<Line<Content>>] = [
            .required(
                "format",
                .text(pattern: "^1\\.[0-9]+$"),
                about: "Additions raise the second number, other changes the first."
            ) { _ in
                formatVersion
            },
            .constant("event", is: name.rawValue),
            .required("at", .moment, about: "Time of the event.") { $0.at },
        ]
        return JSONDefinition(
            name.rawValue,
            of: JSONShape(about, head + members.reading(\Line<Content>.content))
        )
    }
}

/// The type of an event line.
enum EventName: String, CaseIterable {
    case plan
    case runBegan = "run-began"
    case phaseBegan = "phase-began"
    case phaseProgressed = "phase-progressed"
    case phaseEnded = "phase-ended"
    case settling
    case pausing
    case note
    case request
    case sending
    case result
}

// MARK: - Start and end

extension EventJSON {
    struct SummarizedPlan {
        let plan: Plan
        let summary: PlanSummary

        init(_ plan: Plan) {
            self.plan = plan
            summary = PlanSummary(plan)
        }
    }

    static let plan = event(
        .plan,
        about: "The plan that is applied.",
        members: [
            .required("destination", .object(PlanJSON.destination)) { $0.plan.destination },
            .required("digest", .digest, about: "Digest of the plan.") { $0.plan.digest },
            .required("project", .text, about: "Name.") { $0.plan.project.rawValue },
            .required("environment", .text, about: "Name.") { $0.plan.environment.rawValue },
            .required("has_changes", .flag, about: "Whether there is anything to do.") {
                $0.plan.hasChanges
            },
            .required("joins", .count, about: "Number of registrations.") { $0.summary.joins },
            .required("leaves", .count, about: "Number of registrations.") { $0.summary.leaves },
            .required("sends", .count, about: "Occurrences that are due.") { $0.summary.sends },
            .required("requests", .count, about: "Requests that the plan needs.") {
                $0.summary.requests
            },
        ] as [JSONMember<SummarizedPlan>]
    )

    static let runBegan = event(
        .runBegan,
        about: "The run is recorded.",
        members: [
            .required("run", .count, about: "Number of the run in the history.") { $0.number }
        ] as [JSONMember<RunID>]
    )

    struct Result {
        /// Nil if nothing was applied.
        let report: ApplyReport?
        let exitCode: Int32
        let error: String?

        var memberships: MembershipTally { report?.memberships ?? MembershipTally() }
    }

    static let result = event(
        .result,
        about: "The result, in the last line.",
        members: [
            .required("exit_code", .count, about: "Exit code of the command.") { $0.exitCode },
            .required(
                "error",
                .nullable(.text),
                about: "Reason why the command stopped."
            ) { $0.error },
            .required("joined", .count, about: "Number of registrations.") {
                $0.memberships.joined
            },
            .required("left", .count, about: "Number of registrations.") { $0.memberships.left },
            .required(
                "refused",
                .count,
                about: "Registrations that FCM refused to subscribe or unsubscribe."
            ) { $0.memberships.refused.count + $0.memberships.refusedLeaves.count },
            .required("counts", .object(OutcomeTally.shape)) {
                $0.report?.tally ?? OutcomeTally()
            },
            .required(
                "not_begun",
                .count,
                about: "Requests of occurrences that were planned but not started."
            ) { $0.report?.notBegun ?? 0 },
            .required("too_late", .count, about: "Occurrences that were too late.") {
                $0.report?.tooLate ?? 0
            },
            occurrences("handed_over", about: "Occurrences that a service sends.") {
                $0.handedOver
            },
            occurrences(
                "cancelled",
                about: "Occurrences that another command removed while `--wait` waited."
            ) { $0.cancelled },
            occurrences("held", about: "Occurrences that a user must check.") {
                $0.held.map(\.occurrence) + $0.heldByService.map(\.occurrence)
                    + $0.stoppedRollouts.map(\.occurrence)
            },
            occurrences("paused", about: "Occurrences that are paused.") {
                $0.paused.map(\.occurrence)
            },
            occurrences(
                "deferred",
                about: "Occurrences that wait until quiet hours end or their next stage begins."
            ) {
                $0.deferred.map(\.occurrence)
            },
            .required(
                "memberships_paused",
                .count,
                about: "Membership changes that wait, because everything is paused."
            ) { $0.report?.pausedMemberships.count ?? 0 },
            occurrences("stopped", about: "Occurrences that stopped at an unknown outcome.") {
                $0.stopped
            },
            occurrences("waiting", about: "Occurrences that wait for leaves.") {
                $0.waiting.map(\.occurrence)
            },
            .required(
                "refused_sends",
                .list(of: .object(refusedSend)),
                about: "Occurrences whose list was read and cannot be used."
            ) { $0.report?.refusedSends ?? [] },
        ]
    )

    private static let refusedSend = JSONShape<RefusedSend>(
        "An occurrence that was not sent because of its list.",
        [
            .required("occurrence", .occurrence, about: "campaign/slot/revision") {
                $0.occurrence
            },
            .required("guard", .flag, about: "Whether a guard or a missing consent refuses it.") {
                $0.isRefusedByGuard
            },
            .required("reason", .text, about: "What is wrong, and where.") {
                RefusedSendWording($0).reason
            },
        ]
    )

    private static func occurrences(
        _ name: String,
        about: String,
        read: @escaping @Sendable (ApplyReport) -> [OccurrenceID]
    ) -> JSONMember<Result> {
        .required(name, .list(of: .occurrence), about: about) { $0.report.map(read) ?? [] }
    }
}

// MARK: - Requests

extension EventJSON {
    static let settling = event(
        .settling,
        about: "A send waits for joins to settle.",
        members: [
            .required("seconds", .count, about: "Seconds from now.") { $0 }
        ] as [JSONMember<Int64>]
    )

    struct Pause {
        let reason: PauseReason
        let length: Duration
        /// Nil if no send pauses.
        let occurrence: OccurrenceID?
    }

    static let pausing = event(
        .pausing,
        about: "No new requests are sent for a time.",
        members: [
            .required("reason", .choice, about: "Reason of the pause.") { $0.reason },
            .required("seconds", .seconds, about: "Seconds from now.") { $0.length },
            .optional("occurrence", .occurrence, about: "The occurrence, if a send pauses.") {
                $0.occurrence
            },
        ] as [JSONMember<Pause>]
    )

    static let request = event(
        .request,
        about: "A request. Only with `--verbose`.",
        members: [
            .required("method", .text, about: "HTTP method.") { $0.method },
            .required(
                "url",
                .text,
                about: "URL without the query. Registrations are replaced by fingerprints."
            ) { $0.place },
            .required("status", .nullable(.count), about: "HTTP status.") {
                if case .status(let status) = $0.end { status } else { nil }
            },
            .required("failure", .nullable(.text), about: "Reason if there is no status.") {
                if case .failed(let reason) = $0.end { reason } else { nil }
            },
            .required("seconds", .seconds, about: "Duration in seconds.") { $0.duration },
        ] as [JSONMember<RequestNote>]
    )

    static let sending = event(
        .sending,
        about: "Results that this run added to an occurrence.",
        members: [
            .required("occurrence", .occurrence, about: "campaign/slot/revision") {
                $0.occurrence
            },
            .required("campaign", .text, about: "Name.") { $0.occurrence.campaign.rawValue },
            .required("counts", .object(OutcomeTally.shape)) { $0.tally },
            .required("repeated", .count, about: "Requests that were repeated under policy.") {
                $0.repeats
            },
            .required("capped", .count, about: "Requests that the frequency cap suppressed.") {
                $0.capped
            },
        ] as [JSONMember<SendReport>]
    )
}
