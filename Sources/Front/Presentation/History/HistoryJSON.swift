import Applying
import CampaignModel
import JSON
import State
import Time

/// Declares the JSON of `herald history`.
package enum HistoryJSON {
    /// Additions raise the minor version, other changes the major version.
    package static let formatVersion = "1.4"

    package static let schema = PublishedSchema(
        name: "history",
        title: "Herald history",
        root: .oneOf(
            documents,
            about:
                "Output of `herald history --format json`: all runs, one run, its requests joined with a list, or its delivery. `definitions/line` is a line of `--format ndjson`."
        ),
        definitions: documents + [
            .init(
                key: "line",
                value: .object(
                    .oneOf(lines + [request.entry], about: "A line of `--format ndjson`.")
                )
            )
        ] + lines + [
            request.entry, chain.entry, run.entry, counts.entry,
        ]
    )

    private static let documents = [
        JSONObject.Member(key: "list", value: .object(list.schema)),
        JSONObject.Member(key: "one", value: .object(one.schema)),
        JSONObject.Member(key: "join", value: .object(join.document.schema)),
        JSONObject.Member(key: "delivery", value: .object(delivery.schema)),
    ]

    static func version<Document>() -> JSONMember<Document> {
        .required(
            "format_version",
            .text(pattern: "^1\\.[0-9]+$"),
            about: "Additions raise the second number, other changes the first."
        ) { _ in
            formatVersion
        }
    }

    static let counts = JSONDefinition("counts", of: OutcomeTally.shape)
}

// MARK: - Runs

extension HistoryJSON {
    /// A run as it is listed.
    struct Run {
        let record: RunRecord
        let isWriting: Bool
        /// Nil if the history was not verified.
        let verdict: ChainVerdict?
    }

    static let list = StreamedDocument(
        head: JSONShape<ChainVerdict?>(
            "All runs, newest first.",
            [
                version(),
                .required("chain", .nullable(.reference(to: chain))) { $0 },
            ]
        ),
        name: "runs",
        of: .reference(to: run),
        layout: .pretty
    )

    static let run = JSONDefinition(
        "run",
        of: JSONShape<Run>("A run that wrote to the state.", runMembers)
    )

    static let runMembers: [JSONMember<Run>] =
        recordMembers
        + originMembers.reading { $0.record.worker }
        + [
            .required(
                "serial",
                .nullable(.count),
                about: "Serial of the state after the run."
            ) { $0.record.serial?.number },
            .required("chain", .nullable(.choice), about: "Whether the run is unchanged.") {
                $0.verdict?.standing(of: $0.record.id)
            },
            .required("counts", .reference(to: counts)) { $0.record.tally },
        ]

    private static let recordMembers: [JSONMember<Run>] = [
        .required("run", .count, about: "Number of the run.") { $0.record.id.number },
        .required("status", .choice, about: "State of the run.") {
            $0.record.status.shown(isWriting: $0.isWriting)
        },
        .required(
            "cause",
            .nullable(.text),
            about: "Reason why it stopped, or what it did not do."
        ) { $0.record.cause },
        .required("command", .text, about: "Command.") { $0.record.worker.command },
        .required("user", .text, about: "User.") { $0.record.worker.user },
        .required("host", .text, about: "Host.") { $0.record.worker.host },
        .required("process", .integer, about: "Process ID.") { $0.record.worker.processID },
        .required("began", .moment, about: "Start.") { $0.record.worker.since },
        .required("ended", .nullable(.moment), about: "End.") { $0.record.ended },
    ]

    private static let originMembers: [JSONMember<Worker>] = [
        .required("commit", .nullable(.text), about: "Commit of the project's files.") {
            $0.origin.commit
        },
        .required(
            "dirty",
            .nullable(.flag),
            about: "Whether the project's files differed from the commit."
        ) { $0.origin.isDirty },
        .required("ci_run", .nullable(.text), about: "CI run.") { $0.origin.ciRun },
        .required("ci_actor", .nullable(.text), about: "User who started the CI run.") {
            $0.origin.ciActor
        },
        .required("digest", .nullable(.text), about: "Digest of the reviewed plan.") {
            $0.digest
        },
        .required(
            "bypasses",
            .list(of: .text),
            about: "Options that switched off guards."
        ) { $0.bypasses },
        .required(
            "approvals",
            .list(of: .object(approval)),
            about: "Signers who approved the plan."
        ) { $0.approvals },
    ]

    private static let approval = JSONShape<RecordedApproval>(
        "Approval",
        [
            .required("principal", .text, about: "Signer.") { $0.principal },
            .required("key", .text, about: "Fingerprint of the key.") { $0.key },
        ]
    )
}

// MARK: - One run

extension HistoryJSON {
    struct OneRun {
        let run: Run
        let overview: RunOverview
        let verdict: ChainVerdict
    }

    static let one = JSONShape<OneRun>(
        "One run.",
        [
            version(),
            .required("chain", .reference(to: chain)) { $0.verdict },
            .required("run", .object(detailedRun)) { $0 },
        ]
    )

    private static let detailedRun = JSONShape<OneRun>(
        "The run, with its changes and sends.",
        runMembers.reading { $0.run } + [
            .required(
                "memberships",
                .list(of: .object(membership)),
                about: "Changes of memberships."
            ) { $0.overview.memberships },
            .required("sendings", .list(of: .object(sending)), about: "Sends of the run.") {
                $0.overview.sendings
            },
        ]
    )

    private static let membership = JSONShape("Changes of a membership.", membershipMembers)

    static let membershipMembers: [JSONMember<RunMembership>] = [
        .required("audience", .text, about: "Audience.") { $0.scope.audience.rawValue },
        .required("topic", .text, about: "Topic.") { $0.scope.topic.name },
        .required("joined", .count, about: "Registrations that joined.") { $0.joined },
        .required("left", .count, about: "Registrations that left.") { $0.left },
        .required("refused", .count, about: "Registrations that FCM refused.") { $0.refused },
        .optional(
            "left_upstream",
            .count,
            about: "Registrations among those that left whose own messages caused it."
        ) { $0.leftUpstream > 0 ? $0.leftUpstream : nil },
    ]

    private static let sending = JSONShape(
        "Results that the run added to an occurrence.",
        sendingMembers + [
            .required(
                "problems",
                .list(of: .object(JSONShape("A request with a problem.", problemMembers("kind")))),
                about: "Requests with problems."
            ) { $0.sending.problems }
        ]
    )

    static let sendingMembers: [JSONMember<RunOccurrenceOverview>] = [
        .required("occurrence", .occurrence, about: "campaign/slot/revision") {
            $0.sending.occurrence
        },
        .required("target", .nullable(.object(UnitTarget.shape))) { $0.unit?.target },
        .required(
            "message",
            .nullable(.text),
            about: "FCM message ID, if there is a single message."
        ) { $0.messageID },
        .required(
            "compacted",
            .nullable(.moment),
            about: "Time when outcomes of single requests were deleted (`retain`)."
        ) { $0.unit?.compacted },
        .required("counts", .reference(to: counts)) { $0.sending.tally },
        .required("repeated", .count, about: "Requests that were repeated under policy.") {
            $0.sending.repeated
        },
        .required("capped", .count, about: "Requests that the frequency cap suppressed.") {
            $0.sending.capped
        },
        .optional("objective", .object(objective)) { $0.objective },
        .optional(
            "answers",
            .list(of: .object(answer)),
            about: "Answers of devices to the campaign, in all runs."
        ) { $0.answers.isEmpty ? nil : $0.answers },
    ]

    private static let answer = JSONShape<AnswerOverview>(
        "The answers with one event.",
        [
            .required("event", .text, about: "Event of the upstream rule.") { $0.event },
            .required("registrations", .count, about: "Registrations that answered.") { $0.count },
            .required(
                "arms",
                .list(of: .object(answerArm)),
                about: "Registrations in each arm; empty without an experiment."
            ) { $0.arms },
        ]
    )

    private static let answerArm = JSONShape<AnswerOverview.Arm>(
        "The answers in one arm.",
        [
            .required("arm", .text, about: "Arm as text.") { $0.kind.label },
            .required("registrations", .count, about: "Registrations that answered.") { $0.count },
        ]
    )

    private static let objective = JSONShape<ObjectiveOverview>(
        "What the occurrence reached of its objective, in all runs.",
        [
            .required("objective", .text, about: "Share and time, as in the campaign.") {
                $0.objective.description
            },
            .required("status", .choice, about: "Whether it was reached.") { $0.status },
            .required(
                "reached_after_seconds",
                .nullable(.count),
                about: "Time from the due time until FCM had accepted the share; null if it is not "
                    + "recorded."
            ) { $0.reachedAfter },
            .required("accepted", .count, about: "Requests that FCM accepted.") { $0.accepted },
            .required("addressed", .count, about: "Requests that were not suppressed.") {
                $0.addressed
            },
        ]
    )

    /// `kind`: the name of the member with the kind of the problem.
    static func problemMembers(_ kind: String) -> [JSONMember<RunProblem>] {
        [
            .required(kind, .choice, about: "Kind of the problem.") { $0.kind },
            .required(
                "registration",
                .nullable(.text),
                about: "Fingerprint of the registration."
            ) { $0.registration },
            .required("reason", .text, about: "Reason.") { $0.reason },
        ]
    }
}
