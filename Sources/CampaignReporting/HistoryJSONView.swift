package import CampaignExecution
import CampaignModel
package import CampaignState
import FCMWire
import Scheduling

/// What runs did, for programs.
package struct HistoryJSONView: Sendable {
    /// Additions raise the second number, anything else the first.
    package static let formatVersion = "1.0"

    package init() {}

    /// `isWriting`: whether somebody holds the lock, and so may still be at the newest.
    package func render(_ runs: [RunRecord], isWriting: Bool) -> String {
        text(["runs": .array(runs.map { .object(json($0, isWriting)) })])
    }

    package func render(_ overview: RunOverview) -> String {
        var run = json(overview.run, overview.isWriting)
        run["memberships"] = .array(overview.memberships.map(json))
        run["sendings"] = .array(overview.sendings.map(json))
        return text(["run": .object(run)])
    }

    private func text(_ members: JSONObject) -> String {
        let version = JSONObject.Member(
            key: "format_version",
            value: .string(Self.formatVersion)
        )
        return JSONValue.object(JSONObject([version] + members.members)).prettyText + "\n"
    }

    private func json(_ run: RunRecord, _ isWriting: Bool) -> JSONObject {
        let status = run.status.name(isWriting: isWriting)
        return [
            "run": .integer(run.id.number),
            "status": .string(status == "cut off" ? "cut_off" : status),
            "cause": run.cause.map { .string($0) } ?? .null,
            "command": .string(run.worker.command), "user": .string(run.worker.user),
            "host": .string(run.worker.host), "process": .integer(Int64(run.worker.processID)),
            "began": .string(run.worker.since.utcText),
            "ended": run.ended.map { .string($0.utcText) } ?? .null,
            "counts": .counts(run.tally.named),
        ]
    }

    private func json(_ membership: RunMembership) -> JSONValue {
        [
            "audience": .string(membership.scope.audience.rawValue),
            "topic": .string(membership.scope.topic.name),
            "joined": .integer(Int64(membership.joined)),
            "left": .integer(Int64(membership.left)),
            "refused": .integer(Int64(membership.refused)),
        ]
    }

    private func json(_ overview: RunSendingOverview) -> JSONValue {
        let sending = overview.sending
        var object: JSONObject = [
            "occurrence": .string(sending.occurrence.description),
            "target": overview.unit?.target.json ?? .null,
            "message": overview.messageID.map { .string($0) } ?? .null,
            "counts": .counts(sending.tally.named),
            "repeated": .integer(Int64(sending.repeated)),
            "problems": .array(sending.problems.map(json)),
        ]
        if let moment = overview.unit?.compacted { object["compacted"] = .string(moment.utcText) }
        return .object(object)
    }

    private func json(_ problem: RunProblem) -> JSONValue {
        [
            "kind": .string(problem.kind.rawValue),
            "registration": problem.registration.map { .string($0) } ?? .null,
            "reason": .string(problem.reason),
        ]
    }
}
