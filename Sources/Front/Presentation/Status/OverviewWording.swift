import Applying
import CampaignModel
import State

extension RequestCounts {
    /// Each count with its JSON name, in the order of a request's life cycle.
    var named: [(name: String, count: Int)] {
        [
            ("not_sent", notSent), ("in_flight", inFlight), ("accepted", accepted),
            ("rejected", rejected), ("unknown", unknown), ("expired", expired),
            ("suppressed", suppressed), ("cancelled", cancelled),
        ]
    }

    /// Nonzero counts, with pending requests last: `1,200 accepted, 2 unknown`.
    var wording: String {
        let ended = named.dropFirst(2) + named.prefix(2).reversed()
        let there = ended.filter { $0.count > 0 }.map { name, count in
            "\(count.grouped) \(name.split(separator: "_").joined(separator: " "))"
        }
        return there.joined(separator: ", ")
    }
}

extension OutcomeTally {
    /// Nonzero counts: `1,200 accepted, 2 unknown`; empty if all are zero.
    var wording: String {
        named.filter { $0.count > 0 }.map { name, count in
            "\(count.grouped) \(name == "not_sent" ? "not sent" : name)"
        }.joined(separator: ", ")
    }
}

extension WorkUnitRecord {
    /// The target of the sends.
    var wording: String {
        switch target {
        case .topic(let topic): "topic \(topic)"
        case .condition(let text): "condition \(TextStyle.safe(text))"
        case .group(let name): "device group \(TextStyle.safe(name.text))"
        case .registrations: count.counting("registration")
        }
    }
}

extension MembershipStatus {
    /// The JSON name.
    var name: String {
        switch self {
        case .joining: "joining"
        case .joined: "joined"
        case .leaving: "leaving"
        case .refused: "refused"
        case .external: "foreign"
        case .optedOut: "opted_out"
        }
    }

    var wording: String {
        switch self {
        case .external: "external"
        case .optedOut: "opted out"
        case .joining, .joined, .leaving, .refused: name
        }
    }
}

extension Resolution {
    /// The name used on the command line.
    package var name: String {
        switch self {
        case .sent: "sent"
        case .resend: "resend"
        case .drop: "drop"
        }
    }
}

extension Hold {
    var wording: String {
        switch self {
        case .mostlyDead:
            "most of the first registrations were dead or of another project"
        case .refusedPayload: "FCM rejected the message for many registrations in a row"
        case .lostWorker:
            "a worker is gone, and the failover of the database may have lost what it sent last"
        case .rollout: "its rollout is stopped"
        }
    }

    func wayOut(_ hint: CommandHint, for occurrence: OccurrenceID) -> String {
        let campaign = TextStyle.safe(occurrence.campaign.rawValue)
        return switch self {
        case .mostlyDead:
            "if project and list are right, run "
                + "`\(hint("registrations check LIST"))`, or write `acknowledge: { dead: SHARE, … }`"
        case .refusedPayload:
            "check the message with `\(hint("apply --dry-run"))`, and the list with "
                + "`\(hint("registrations check LIST"))`"
        case .lostWorker:
            "some requests may have been sent and look unsent: send the rest with "
                + "`\(hint("resolve \(TextStyle.safe(occurrence.description)) resend"))`, "
                + "or remove the campaign"
        case .rollout:
            "see why with `\(hint("rollout status \(campaign)"))`; send the rest with "
                + "`\(hint("rollout continue \(campaign)"))`, or give it up with "
                + "`\(hint("rollout abort \(campaign)"))`"
        }
    }
}

/// The phase of an occurrence, as shown to users and programs.
enum ShownPhase: String, CaseIterable {
    case scheduled
    case underWay = "under_way"
    case stopped
    case held
    case finished
    case cancelled
    case expired
}

extension OccurrenceOverview.Phase {
    var shown: ShownPhase {
        switch self {
        case .scheduled: .scheduled
        case .underWay: .underWay
        case .stopped: .stopped
        case .held: .held
        case .finished: .finished
        case .cancelled: .cancelled
        case .expired: .expired
        }
    }

    /// The JSON name.
    var name: String { shown.rawValue }
}

/// The status of a run, as shown to users and programs.
enum ShownRunStatus: String, CaseIterable {
    case running
    case complete
    case stopped
    case interrupted
    case cutOff = "cut_off"
}

extension RunStatus {
    /// The status as shown.
    ///
    /// A run without an end whose process is gone counts as cut off, even if no later run has
    /// recorded that.
    func shown(isWriting: Bool) -> ShownRunStatus {
        switch self {
        case .running: isWriting ? .running : .cutOff
        case .complete: .complete
        case .stopped: .stopped
        case .interrupted: .interrupted
        case .abandoned: .cutOff
        }
    }

    /// The name in text.
    func name(isWriting: Bool) -> String {
        switch shown(isWriting: isWriting) {
        case .cutOff: "cut off"
        case let status: status.rawValue
        }
    }
}
