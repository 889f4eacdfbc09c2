package import Applying
package import CampaignModel
import JSON
package import State
import Time

/// The contents of a state, or the part that belongs to one name.
package struct StateContents {
    private let environment: EnvironmentID
    private let identity: StateIdentity
    private let definitions: [CampaignDefinition]
    private let occurrences: [OccurrenceOverview]
    private let memberships: [MembershipSummary]
    private let deadCount: Int?
    private let runs: [RunRecord]
    /// Whether to show complete definitions.
    private let isOfOneName: Bool

    /// Everything.
    ///
    /// `runs`: newest first.
    package init(
        of environment: EnvironmentID,
        definitions: [CampaignDefinition],
        overview: StateOverview,
        runs: [RunRecord]
    ) {
        self.environment = environment
        identity = overview.identity
        self.definitions = definitions.sorted { $0.campaign < $1.campaign }
        occurrences = overview.occurrences
        memberships = overview.memberships
        deadCount = overview.deadCount
        self.runs = runs
        isOfOneName = false
    }

    /// The part of a campaign or an audience; nil if there is none.
    package init?(
        named name: String,
        of environment: EnvironmentID,
        definition: CampaignDefinition?,
        overview: StateOverview
    ) {
        self.environment = environment
        identity = overview.identity
        definitions = definition.map { [$0] } ?? []
        occurrences = overview.occurrences
        memberships = overview.memberships.filter { $0.audience.rawValue == name }
        deadCount = nil
        runs = []
        isOfOneName = true
        guard !definitions.isEmpty || !occurrences.isEmpty || !memberships.isEmpty else {
            return nil
        }
    }
}

// MARK: - Text

extension StateContents {
    /// One line per item.
    ///
    /// For a single name, also the definition.
    package func text() -> String {
        let head =
            "State of \(environment): lineage \(identity.lineage), serial \(identity.serial)\n"
        let dead = deadCount.map { "dead        \($0.grouped)\n" } ?? ""
        return head + definitions.map(line).joined() + occurrences.map(line).joined()
            + memberships.map(line).joined() + dead + runs.map(line).joined()
    }

    private func line(_ definition: CampaignDefinition) -> String {
        let head = "definition  \(definition.campaign)\n"
        guard isOfOneName else { return head }
        let lines = definition.content.prettyText.split(separator: "\n")
        return head + lines.map { "  \(TextStyle.safe(String($0)))\n" }.joined()
    }

    private func line(_ occurrence: OccurrenceOverview) -> String {
        let phase = occurrence.phase.name.split(separator: "_").joined(separator: " ")
        let head = "occurrence  \(occurrence.id)  \(phase), due \(occurrence.due.instant.utcText)"
        guard let unit = occurrence.unit else { return head + "\n" }
        let compacted = unit.compacted == nil ? "" : ", compacted"
        return "\(head), \(unit.wording)  \(occurrence.counts.wording)\(compacted)\n"
    }

    private func line(_ membership: MembershipSummary) -> String {
        let counts = MembershipStatus.allCases.filter { membership[$0] > 0 }
            .map { "\(membership[$0].grouped) \($0.wording)" }
        return "membership  \(membership.audience) in \(membership.topic)  "
            + "\(counts.joined(separator: ", "))\n"
    }

    private func line(_ run: RunRecord) -> String {
        let tally = run.tally.wording
        return "run         \(run.id.number)  \(run.worker.since.utcText)  "
            + "\(TextStyle.safe(run.worker.command)), \(run.status.name(isWriting: true))"
            + "\(tally.isEmpty ? "" : "  " + tally)\n"
    }
}

// MARK: - JSON

extension StateContents {
    /// Additions raise the minor version, other changes the major version.
    package static let formatVersion = "1.0"

    package func json() -> String {
        var object: JSONObject = [
            "format_version": .string(Self.formatVersion),
            "environment": .string(environment.rawValue),
            "state": [
                "lineage": .string(identity.lineage.text),
                "serial": .integer(identity.serial.number),
            ],
            "definitions": .array(definitions.map(\.json)),
            "occurrences": .array(occurrences.map(\.json)),
            "memberships": .array(memberships.map(\.json)),
        ]
        guard let deadCount else { return JSONValue.object(object).prettyText + "\n" }
        object["dead_registrations"] = .integer(Int64(deadCount))
        object["runs"] = .array(runs.map(\.json))
        return JSONValue.object(object).prettyText + "\n"
    }
}

extension CampaignDefinition {
    fileprivate var json: JSONValue {
        ["campaign": .string(campaign.rawValue), "content": content]
    }
}

extension OccurrenceOverview {
    fileprivate var json: JSONValue {
        var object: JSONObject = [
            "occurrence": .string(id.description), "phase": .string(phase.name),
            "due": .string(due.instant.utcText),
        ]
        if let unit {
            object["target"] = unit.target.json
            object["requests"] = .integer(Int64(unit.count))
            object["counts"] = .counts(counts.named)
            if let moment = unit.compacted { object["compacted"] = .string(moment.utcText) }
        }
        return .object(object)
    }
}

extension RunRecord {
    fileprivate var json: JSONValue {
        [
            "run": .integer(id.number), "began": .string(worker.since.utcText),
            "command": .string(worker.command), "status": .string(status.name(isWriting: true)),
            "counts": .counts(tally.named),
        ]
    }
}
