package import Applying
import CampaignModel
import JSON
package import State
import Time

/// Renders runs as JSON.
///
/// See `Documentation/Reference/Formats/history.md` for the format.
package struct HistoryJSONView: Sendable {
    /// Additions raise the minor version, other changes the major version.
    package static let formatVersion = "1.2"

    private let verdict: ChainVerdict?

    /// `verdict`: nil if there is no state.
    package init(_ verdict: ChainVerdict?) {
        self.verdict = verdict
    }

    // MARK: - List in parts

    package var listHead: String { head + "\"runs\": [" }

    package func listItem(_ run: RunRecord, isWriting: Bool, isFirst: Bool) -> String {
        (isFirst ? "" : ",") + "\n    "
            + JSONValue.object(json(run, isWriting: isWriting)).prettyText.indented(by: 4)
    }

    package func listEnd(isEmpty: Bool) -> String { (isEmpty ? "" : "\n  ") + "]\n}\n" }

    package func render(_ overview: RunOverview) -> String {
        var run = json(overview.run, isWriting: overview.isWriting)
        run["memberships"] = .array(overview.memberships.map { .object(json($0)) })
        run["sendings"] = .array(overview.sendings.map { .object(json($0)) })
        return head + "\"run\": " + JSONValue.object(run).prettyText.indented(by: 2) + "\n}\n"
    }

    private var head: String {
        let chain = verdict.map { JSONValue.object($0.json).prettyText.indented(by: 2) }
        return "{\n  \"format_version\": \"\(Self.formatVersion)\",\n  \"chain\": "
            + (chain ?? "null") + ",\n  "
    }

    // MARK: - Lines

    package func line(_ run: RunRecord, isWriting: Bool) -> String {
        line(kind: "run", content: json(run, isWriting: isWriting))
    }

    /// Writes the run, then one line per membership, occurrence and notable request.
    package func forEachLine(of overview: RunOverview, write: (String) -> Void) {
        let run: JSONObject = ["run": .integer(overview.run.id.number)]
        write(line(overview.run, isWriting: overview.isWriting))
        for membership in overview.memberships {
            write(line(kind: "membership", content: run.followed(by: json(membership))))
        }
        for sending in overview.sendings {
            var content = json(sending)
            content["problems"] = nil
            write(line(kind: "sending", content: run.followed(by: content)))
            let name: JSONObject = [
                "occurrence": .string(sending.sending.occurrence.description)
            ]
            for problem in sending.sending.problems {
                var content = json(problem)
                content["outcome"] = content["kind"]
                content["kind"] = nil
                write(line(kind: "problem", content: run.followed(by: name).followed(by: content)))
            }
        }
    }

    private func line(kind: String, content: JSONObject) -> String {
        let head: JSONObject = ["kind": .string(kind)]
        return JSONValue.object(head.followed(by: content)).lineText + "\n"
    }
}

// MARK: - Objects

extension HistoryJSONView {
    private func json(_ run: RunRecord, isWriting: Bool) -> JSONObject {
        let status = run.status.name(isWriting: isWriting)
        let worker = run.worker
        let origin = worker.origin
        let head: JSONObject = [
            "run": .integer(run.id.number),
            "status": .string(status == "cut off" ? "cut_off" : status),
            "cause": .text(run.cause),
            "command": .string(worker.command), "user": .string(worker.user),
            "host": .string(worker.host), "process": .integer(Int64(worker.processID)),
            "began": .string(worker.since.utcText), "ended": .text(run.ended?.utcText),
        ]
        let who: JSONObject = [
            "commit": .text(origin.commit),
            "dirty": origin.isDirty.map { .bool($0) } ?? .null,
            "ci_run": .text(origin.ciRun), "ci_actor": .text(origin.ciActor),
            "digest": .text(worker.digest),
            "bypasses": .array(worker.bypasses.map { .string($0) }),
            "serial": run.serial.map { .integer($0.number) } ?? .null,
            "chain": .text(verdict?.standing(of: run.id).rawValue),
            "counts": .counts(run.tally.named),
        ]
        return head.followed(by: who)
    }

    private func json(_ membership: RunMembership) -> JSONObject {
        [
            "audience": .string(membership.scope.audience.rawValue),
            "topic": .string(membership.scope.topic.name),
            "joined": .integer(Int64(membership.joined)),
            "left": .integer(Int64(membership.left)),
            "refused": .integer(Int64(membership.refused)),
        ]
    }

    private func json(_ overview: RunOccurrenceOverview) -> JSONObject {
        let sending = overview.sending
        return [
            "occurrence": .string(sending.occurrence.description),
            "target": overview.unit?.target.json ?? .null,
            "message": .text(overview.messageID),
            "compacted": .text(overview.unit?.compacted?.utcText),
            "counts": .counts(sending.tally.named),
            "repeated": .integer(Int64(sending.repeated)),
            "problems": .array(sending.problems.map { .object(json($0)) }),
        ]
    }

    private func json(_ problem: RunProblem) -> JSONObject {
        [
            "kind": .string(problem.kind.rawValue),
            "registration": .text(problem.registration),
            "reason": .string(problem.reason),
        ]
    }
}

extension ChainVerdict {
    fileprivate var json: JSONObject {
        [
            "intact": .bool(isIntact), "head": .string(head.description),
            "runs_before": .integer(runsBefore),
            "differences": .array(differences.map { .object($0.json) }),
            "differences_left_out": .integer(Int64(differenceCount - differences.count)),
        ]
    }
}

extension ChainDifference {
    fileprivate var json: JSONObject {
        let subject = subject.json
        return [
            "run": run.map { .integer($0.number) } ?? .null,
            "subject": .string(subject.kind), "name": .text(subject.name),
            "finding": .string(finding.name), "values": .array(values.map { .object($0) }),
        ]
    }

    private var values: [JSONObject] {
        guard case .changed(let values) = finding else { return [] }
        return values.map { value in
            [
                "name": .string(value.name), "written": .text(value.written),
                "found": .text(value.found),
            ]
        }
    }
}

extension ChainDifference.Finding {
    fileprivate var name: String {
        switch self {
        case .added: "added"
        case .gone: "gone"
        case .changed: "changed"
        case .broken: "broken"
        }
    }
}

extension ChainDifference.Subject {
    fileprivate var json: (kind: String, name: String?) {
        switch self {
        case .run: ("run", nil)
        case .sending(let name): ("sending", name)
        case .membership(let name): ("membership", name)
        case .pause(let campaign): ("pause", campaign.isEmpty ? nil : campaign)
        case .resolution(let name): ("resolution", name)
        case .entry(let number): ("entry", String(number))
        case .serial: ("serial", nil)
        }
    }
}

extension JSONValue {
    /// Null if the text is nil.
    static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
}

extension JSONValue {
    /// The value on one line, with terminal control characters escaped.
    var lineText: String {
        let compact = compactText
        if compact.utf8.allSatisfy({ $0 < 0x80 }) { return compact }
        // Line breaks in text are escaped. Any other line break, and the spaces after it, are
        // layout.
        return prettyText.split(separator: "\n").map { $0.drop { $0 == " " } }.joined()
    }
}

extension JSONObject {
    /// Appends the members of `other`.
    func followed(by other: JSONObject) -> JSONObject { JSONObject(members + other.members) }
}

extension String {
    /// Indents every line except the first.
    func indented(by columns: Int) -> String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .joined(separator: "\n" + String(repeating: " ", count: columns))
    }
}
