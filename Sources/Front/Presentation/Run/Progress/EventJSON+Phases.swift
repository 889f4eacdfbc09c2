import CampaignModel
import JSON
import RunControl
import State

extension EventJSON {
    /// The progress of a phase at a time.
    struct Progress {
        let phase: PhaseProgress
        let now: ContinuousClock.Instant
    }

    static let phaseBegan = event(
        .phaseBegan,
        about: "A phase began: leaving, joining, reading or sending.",
        members: phaseMembers.reading(\PhaseProgress.phase) + [total]
    )

    static let phaseProgressed = event(
        .phaseProgressed,
        about: "Progress of a phase, at most once per second.",
        members: progressMembers
    )

    static let phaseEnded = event(
        .phaseEnded,
        about: "A phase ended, successfully or not.",
        members: progressMembers
    )

    private static let phaseMembers: [JSONMember<ApplyPhase>] = [
        .required("phase", .choice, about: "Kind of the phase.") { $0.kind },
        .optional(
            "audience",
            .text,
            about: "Audience that joins or leaves.",
            requiredIf: phase(.leaving, .joining)
        ) { $0.scope?.audience.rawValue },
        .optional("topic", .text, about: "Topic.", requiredIf: phase(.leaving, .joining)) {
            $0.scope?.topic.name
        },
        .optional(
            "campaign",
            .text,
            about: "Campaign that is sent.",
            requiredIf: phase(.sending)
        ) { $0.occurrence?.campaign.rawValue },
        .optional(
            "occurrence",
            .occurrence,
            about: "campaign/slot/revision",
            requiredIf: phase(.sending)
        ) { $0.occurrence },
    ]

    private static let total = JSONMember<PhaseProgress>.required(
        "total",
        .count,
        about: "Number of registrations or requests."
    ) { $0.total }

    private static let progressMembers: [JSONMember<Progress>] =
        phaseMembers.reading { $0.phase.phase } + [total.reading { $0.phase }] + [
            .required(
                "done",
                .count,
                about: "Registrations or requests with a final outcome."
            ) { $0.phase.done },
            .required("counts", .object(counts)) { $0.phase.counts },
            .required("per_second", .nullable(.count), about: "Current rate.") { progress in
                progress.phase.rate(at: progress.now).map { Int64($0) }
            },
            .required("seconds_left", .nullable(.count), about: "At the current rate.") {
                $0.phase.secondsLeft(at: $0.now)
            },
        ]

    private static let counts = JSONShape<[ProgressKind: Int]>(
        "Outcomes.",
        [
            .required("done", .count, about: "Accepted, joined or left.") { $0[.done] ?? 0 },
            .required("refused", .count, about: "Refused by FCM.") { $0[.refused] ?? 0 },
            .required("unknown", .count, about: "Outcome unknown.") { $0[.unknown] ?? 0 },
        ]
    )

    private static func phase(_ kinds: ApplyPhase.Kind...) -> JSONCondition {
        JSONCondition("phase", isOneOf: kinds)
    }
}

extension ApplyPhase {
    fileprivate enum Kind: String, CaseIterable {
        case leaving
        case joining
        case reading
        case sending
    }

    fileprivate var kind: Kind {
        switch self {
        case .leaving: .leaving
        case .joining: .joining
        // No command with events checks a list.
        case .reading, .checking: .reading
        case .sending: .sending
        }
    }

    fileprivate var scope: MembershipScope? {
        switch self {
        case .leaving(let scope), .joining(let scope): scope
        case .reading, .checking, .sending: nil
        }
    }

    fileprivate var occurrence: OccurrenceID? {
        if case .sending(let occurrence) = self { occurrence } else { nil }
    }
}

// MARK: - Notes

extension EventJSON {
    enum Note {
        case tokenRenewed
        case transportChosen(MembershipTransport, because: String)

        fileprivate enum Kind: String, CaseIterable {
            case tokenRenewed = "token-renewed"
            case transportChosen = "transport-chosen"
        }

        fileprivate var kind: Kind {
            switch self {
            case .tokenRenewed: .tokenRenewed
            case .transportChosen: .transportChosen
            }
        }
    }

    static let note = event(
        .note,
        about: "Additional information.",
        members: [
            .required("note", .openChoice, about: "Kind of the note.") { $0.kind },
            .optional(
                "transport",
                .choice,
                about: "Transport from now on.",
                requiredIf: JSONCondition("note", isOneOf: [Note.Kind.transportChosen])
            ) {
                if case .transportChosen(let transport, _) = $0 { transport } else { nil }
            },
            .optional(
                "because",
                .text,
                about: "FCM's answer.",
                requiredIf: JSONCondition("note", isOneOf: [Note.Kind.transportChosen])
            ) {
                if case .transportChosen(_, let reason) = $0 { reason } else { nil }
            },
        ] as [JSONMember<Note>]
    )
}
