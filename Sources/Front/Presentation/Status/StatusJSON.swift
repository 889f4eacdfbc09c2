import Applying
import CampaignModel
import JSON
import RunControl
import State
import Time

/// The values that the JSON of `herald status` is read from.
struct StatusContents {
    let environment: EnvironmentID
    let now: Instant
    /// Nil if there is no state.
    let overview: StateOverview?
    let occurrences: [StatusOccurrence]
}

/// An occurrence, with the first requests whose outcome is unknown.
struct StatusOccurrence {
    let overview: OccurrenceOverview
    let isPaused: Bool
    let problems: [SendProblem]
}

/// Declares the JSON of `herald status`.
package enum StatusJSON {
    /// Additions raise the minor version, other changes the major version.
    package static let formatVersion = "1.1"

    package static let schema = PublishedSchema(
        name: "status",
        title: "Herald status",
        root: shape.schema
    )

    static let shape = JSONShape<StatusContents>(
        "Output of `herald status --format json`. Without a state, it ends with `state`.",
        [
            .required(
                "format_version",
                .text(pattern: "^1\\.[0-9]+$"),
                about: "Additions raise the second number, other changes the first."
            ) { _ in formatVersion },
            .required("environment", .text, about: "Environment.") { $0.environment.rawValue },
            .required("now", .moment, about: "Time of the query.") { $0.now },
            .required(
                "state",
                .nullable(.object(state)),
                about: "The state; null if there is none."
            ) { $0.overview?.identity },
            .optional(
                "writer",
                .nullable(.object(writer)),
                about: "Process that holds the lock; null if none does, empty if it is unknown."
            ) { $0.overview.map { $0.writer == .nobody ? CurrentWriter?.none : $0.writer } },
            .optional(
                "runners",
                .list(of: .object(runner)),
                about: "Processes that were last seen to send what is due."
            ) { $0.overview?.runners },
            .optional("pauses", .list(of: .object(pause)), about: "Pauses.") {
                $0.overview?.pauses
            },
            .optional(
                "fleet",
                .object(FleetJSON.fleet),
                about: "Workers that send from a state in PostgreSQL."
            ) { $0.overview?.fleet },
            .optional(
                "lag_seconds",
                .nullable(.count),
                about: "How long the oldest due request waits; null if none waits."
            ) { contents in
                contents.overview.map { overview in
                    overview.oldestDue(at: contents.now).map { contents.now.seconds(since: $0) }
                }
            },
            .optional(
                "occurrences",
                .list(of: .object(occurrence)),
                about: "Occurrences by campaign, slot and revision."
            ) { $0.overview == nil ? nil : $0.occurrences },
            .optional(
                "resolutions",
                .list(of: .object(resolution)),
                about: "Requested resolutions that no process has performed yet."
            ) { $0.overview?.resolutions },
            .optional(
                "memberships",
                .list(of: .object(membership)),
                about: "Managed memberships by audience and topic."
            ) { $0.overview?.memberships },
            .optional("dead_registrations", .count, about: "Number of dead registrations.") {
                $0.overview?.deadCount
            },
        ]
    )

    private static let state = JSONShape<StateIdentity>(
        "The state.",
        [
            .required("lineage", .text, about: "Lineage of the state.") { $0.lineage.text },
            .required("serial", .count, about: "Serial of the state.") { $0.serial.number },
        ]
    )

    private static let writer = JSONShape<CurrentWriter>(
        "A process that holds the lock.",
        [
            .optional("command", .text, about: "Command.") { $0.worker?.command },
            .optional("user", .text, about: "User.") { $0.worker?.user },
            .optional("host", .text, about: "Host.") { $0.worker?.host },
            .optional("process", .integer, about: "Process ID.") { $0.worker?.processID },
            .optional("since", .moment, about: "Beginning of the process.") { $0.worker?.since },
        ]
    )

    private static let runner = JSONShape<Runner>(
        "A process that sends what is due.",
        [
            .required("command", .text, about: "Command.") { $0.command },
            .required("host", .text, about: "Host.") { $0.host },
            .required("process", .integer, about: "Process ID.") { $0.processID },
            .required("since", .moment, about: "Beginning of the process.") { $0.since },
            .required("last_seen", .moment, about: "When it was last seen.") { $0.lastSeen },
            .required("reads_lists", .flag, about: "Whether it reads lists with `read: at_send`.") {
                $0.readsLists
            },
            .required("standby", .flag, about: "Whether it waits for the active service to end.") {
                $0.isStandby
            },
        ]
    )

    private static let pause = JSONShape<Pause>(
        "A pause.",
        [
            .required(
                "campaign",
                .nullable(.text),
                about: "Paused campaign; null for everything."
            ) { $0.name },
            .required("since", .moment, about: "Beginning of the pause.") { $0.since },
            .required("user", .text, about: "User.") { $0.user },
            .required("host", .text, about: "Host.") { $0.host },
        ]
    )

    private static let resolution = JSONShape<RequestedResolution>(
        "A requested resolution.",
        [
            .required("occurrence", .occurrence, about: "campaign/slot/revision") {
                $0.occurrence
            },
            .required("resolution", .text, about: "sent, resend or drop") { $0.resolution.name },
            .required("unknown", .count, about: "Number of unknown requests.") { $0.unknown },
            .required("user", .text, about: "User.") { $0.user },
            .required("host", .text, about: "Host.") { $0.host },
            .required("at", .moment, about: "Time of the request.") { $0.at },
        ]
    )

    private static let membership = JSONShape<MembershipSummary>(
        "Memberships of an audience in a topic.",
        [
            .required("audience", .text, about: "Audience.") { $0.audience.rawValue },
            .required("topic", .text, about: "Topic.") { $0.topic.name },
            .required(
                "counts",
                .object(
                    JSONShape(
                        "Memberships by status.",
                        MembershipStatus.allCases.map { status in
                            .required(status.name, .count) { $0[status] }
                        }
                    )
                )
            ) { $0 },
        ]
    )
}

// MARK: - Occurrences

extension StatusJSON {
    private static let occurrence = JSONShape<StatusOccurrence>(
        "An occurrence. The members from `target` on are there if its send has begun.",
        [
            .required("occurrence", .occurrence, about: "campaign/slot/revision") {
                $0.overview.id
            },
            .required("campaign", .text, about: "Campaign.") { $0.overview.id.campaign.rawValue },
            .required("slot", .text, about: "Slot.") { $0.overview.id.slot.text },
            .required("revision", .count, about: "Revision.") { $0.overview.id.revision },
            .required("phase", .openChoice, about: "Phase.") { $0.overview.phase.shown },
            .required("paused", .flag, about: "Whether a pause stops it.") { $0.isPaused },
            .required("due", .moment, about: "Due time.") { $0.overview.due.instant },
            .required("due_local", .text, about: "Due time in the time zone of the schedule.") {
                "\($0.overview.due.local) \($0.overview.due.zone)"
            },
            .optional(
                "deferred_until",
                .moment,
                about:
                    "End of the quiet hours, or of the pause between two stages, that defer the send or its "
                    + "rest."
            ) { $0.overview.deferredUntil?.instant },
            .optional("hold", .openChoice, about: "Why it is held.") {
                if case .held(let hold) = $0.overview.phase { hold } else { nil }
            },
        ] + sendMembers
    )

    private static let sendMembers: [JSONMember<StatusOccurrence>] = [
        .optional("target", .object(UnitTarget.shape)) { $0.overview.unit?.target },
        .optional("requests", .count, about: "Number of requests.") { $0.overview.unit?.count },
        .optional("counts", .object(counts)) {
            $0.overview.unit == nil ? nil : $0.overview.counts
        },
        .optional(
            "fleet",
            .object(FleetJSON.occurrence),
            about: "What the fleet does with it, while the fleet sends it."
        ) { $0.overview.entrusted },
        .optional(
            "rollout",
            .object(rollout),
            about: "Where its rollout is, if it is sent in stages."
        ) { $0.overview.rollout },
        .optional(
            "recall",
            .object(recall),
            about: "Who requested it, if it takes another occurrence back."
        ) { $0.overview.recall },
        .optional("repeated", .count, about: "Requests that were repeated by policy.") {
            $0.overview.unit == nil ? nil : $0.overview.repeated
        },
        .optional(
            "capped",
            .count,
            about: "Suppressed requests whose people are over the frequency cap."
        ) { $0.overview.unit?.capped },
        .optional("compacted", .moment, about: "Since when only the counts are stored.") {
            $0.overview.unit?.compacted
        },
        .optional(
            "unknown",
            .list(of: .object(problem)),
            about: "The first requests whose outcome is unknown, in the order of the list."
        ) { $0.overview.unit == nil ? nil : $0.problems },
        .optional("unknown_left_out", .count, about: "The number of further ones.") {
            $0.overview.unit == nil
                ? nil : max(0, $0.overview.counts.unknown - $0.problems.count)
        },
    ]

    private static let recall = JSONShape<RecallAuthor>(
        "The user who requested a recall.",
        [
            .required("user", .text, about: "User.") { $0.user },
            .required("host", .text, about: "Machine.") { $0.host },
        ]
    )

    private static let rollout = JSONShape<RolloutRecord>(
        "A rollout.",
        [
            .required("stage", .count, about: "Position of the present stage, from 0.") {
                $0.stage
            },
            .required("stages", .list(of: .text), about: "Names of all stages, such as `10%`.") {
                $0.rollout.allStages.map(\.name)
            },
            .required("since", .moment, about: "When the present stage began or begins.") {
                $0.since
            },
            .optional("stop", .openChoice, about: "Why it stopped, if it did.") {
                $0.stop?.reason
            },
            .optional("code", .text, about: "The most frequent code of a stop.") { $0.stop?.code },
            .required("aborted", .flag, about: "Whether a person ended it.") {
                $0.abortion != nil
            },
        ]
    )

    private static let counts = JSONShape<RequestCounts>(
        "Requests by outcome; they add up to `requests`.",
        RequestCounts().named.map { count in
            .required(count.name, .count) { counts in
                counts.named.first { $0.name == count.name }?.count ?? 0
            }
        }
    )

    /// Contains FCM's text unchanged: JSON escapes control characters.
    private static let problem = JSONShape<SendProblem>(
        "A request whose outcome is unknown.",
        [
            .required(
                "registration",
                .nullable(.text),
                about: "Fingerprint of the registration; null for a topic or condition."
            ) { $0.fingerprint?.description },
            .required("reason", .text, about: "Why the outcome is unknown.") { $0.reason },
        ]
    )
}

extension CurrentWriter {
    fileprivate var worker: Worker? {
        switch self {
        case .nobody: nil
        case .somebody(let worker): worker
        }
    }
}
