package import CampaignModel
import JSON
package import State
package import Time

/// Renders the output of `herald rollout`.
package struct RolloutStatusView: Sendable {
    private let style: TextStyle
    private let now: Instant
    private let hint: CommandHint

    package init(style: TextStyle = .plain, now: Instant, hint: CommandHint = .local) {
        self.style = style
        self.now = now
        self.hint = hint
    }

    /// `records`: occurrences with a rollout, by slot and revision.
    package func render(_ records: [OccurrenceRecord], of campaign: CampaignID) -> String {
        guard !records.isEmpty else {
            return "No occurrence of \(campaign) has been sent in stages.\n"
        }
        return style.folded(records.flatMap(lines).joined(separator: "\n") + "\n")
    }

    private func lines(_ record: OccurrenceRecord) -> [String] {
        guard let rollout = record.rollout else { return [] }
        var lines = ["\(TextStyle.safe(record.id.description))  \(phase(of: record, rollout))"]
        let stages = rollout.rollout.allStages.map(\.name)
        lines.append("      stages: \(stages.joined(separator: ", "))")
        if let tally = record.unit?.tally { lines.append("      all stages: \(wording(tally))") }
        if let stop = rollout.stop { lines.append("      this stage: \(stop.wording)") }
        if let person = rollout.continuation {
            lines.append("      continued \(author(person))")
        }
        if let person = rollout.abortion { lines.append("      ended \(author(person))") }
        guard record.status == .dispatching, rollout.abortion == nil else { return lines }
        let name = record.id.campaign
        if rollout.stop != nil {
            lines += [
                "      send the rest: `\(hint("rollout continue \(name)"))`",
                "      give it up: `\(hint("rollout abort \(name)"))`",
            ]
        } else if rollout.since > now {
            lines.append("      begin it at once: `\(hint("rollout continue \(name)"))`")
        }
        return lines
    }

    private func wording(_ tally: OutcomeTally) -> String {
        let counts = [
            (tally[.accepted], "accepted"), (tally[.rejected], "rejected"),
            (tally[.unknown], "unknown"), (tally[.intended] + tally[.returned], "not sent"),
        ]
        let rest = [
            (tally[.cancelled], "cancelled"), (tally[.expired], "expired"),
            (tally[.suppressed], "skipped"),
        ]
        return (counts + rest.filter { $0.0 > 0 }).map { "\($0.grouped) \($1)" }
            .joined(separator: ", ")
    }

    private func phase(of record: OccurrenceRecord, _ rollout: RolloutRecord) -> String {
        let position = RolloutWording.position(of: rollout)
        return switch record.status {
        case .finished: "finished, \(position)"
        case .cancelled: "ended in \(position)"
        case .expired: "expired in \(position)"
        case .scheduled: "scheduled, \(position)"
        case .dispatching where rollout.abortion != nil: "ended in \(position)"
        case .dispatching where rollout.stop != nil: "stopped in \(position)"
        case .dispatching where rollout.since > now:
            "\(position) begins at \(rollout.since.utcText)"
        case .dispatching: "\(position) in progress"
        }
    }

    private func author(_ decision: RolloutDecision) -> String {
        "by \(TextStyle.safe(decision.user)) on \(TextStyle.safe(decision.host)) "
            + MomentWording(now: now).ago(decision.at)
    }

    package func renderContinued(_ occurrence: OccurrenceID) -> String {
        style.folded(
            "\(TextStyle.safe(occurrence.description)) continues: a running service sends the rest, "
                + "otherwise `\(hint("apply"))` does.\n"
        )
    }

    package func renderAborted(_ occurrence: OccurrenceID) -> String {
        style.folded(
            "\(TextStyle.safe(occurrence.description)) ends: a run that is sending it stops within a "
                + "second. A running service records the rest as cancelled, otherwise "
                + "`\(hint("apply"))` does.\n"
        )
    }
}

/// The JSON of `herald rollout status`.
package enum RolloutStatusJSON {
    package static func render(_ records: [OccurrenceRecord]) -> String {
        let value: JSONValue = [
            "format_version": "1.0", "rollouts": .array(records.compactMap(value)),
        ]
        return value.compactText + "\n"
    }

    private static func value(_ record: OccurrenceRecord) -> JSONValue? {
        guard let rollout = record.rollout else { return nil }
        var value: JSONObject = [
            "occurrence": .string(record.id.description),
            "stage": .integer(Int64(rollout.stage)),
            "stages": .array(rollout.rollout.allStages.map { .string($0.name) }),
            "since": .string(rollout.since.utcText),
            "active": .bool(record.status == .dispatching),
        ]
        value["accepted"] = record.unit.map { .integer(Int64($0.tally[.accepted])) }
        value["rejected"] = record.unit.map { .integer(Int64($0.tally[.rejected])) }
        value["unknown"] = record.unit.map { .integer(Int64($0.tally[.unknown])) }
        value["not_sent"] = record.unit.map {
            .integer(Int64($0.tally[.intended] + $0.tally[.returned]))
        }
        if let stop = rollout.stop {
            var stopped: JSONObject = ["reason": .string(stop.reason.rawValue)]
            stopped["code"] = stop.code.map(JSONValue.string)
            stopped["counts"] = stop.counts.stored
            value["stop"] = .object(stopped)
        }
        value["continued"] = rollout.continuation?.shown
        value["aborted"] = rollout.abortion?.shown
        return .object(value)
    }
}

extension RolloutDecision {
    fileprivate var shown: JSONValue {
        ["user": .string(user), "host": .string(host), "at": .string(at.utcText)]
    }
}

extension ErrorText {
    package static func noRollout(of campaign: CampaignID, hint: CommandHint) -> ErrorText {
        ErrorText(
            "no rollout of \(campaign) is in progress",
            help: "list the sends in progress with `\(hint("status"))`"
        )
    }

    package static func severalRollouts(of campaign: CampaignID, names: [String]) -> ErrorText {
        ErrorText(
            "several rollouts of \(campaign) are in progress",
            help: "name one of them: \(names.map { TextStyle.safe($0) }.joined(separator: ", "))"
        )
    }

    package static func rolloutNotStopped(
        _ occurrence: OccurrenceID,
        hint: CommandHint
    ) -> ErrorText {
        ErrorText(
            "the rollout of \(TextStyle.safe(occurrence.description)) is neither stopped nor waiting",
            help: "see its stage with `\(hint("rollout status \(occurrence.campaign)"))`"
        )
    }
}
