package import Applying
package import CampaignModel
import JSON
package import State
package import Time

/// Renders the status of a state as JSON.
package struct StatusJSONView {
    /// Additions raise the minor version, other changes the major version.
    package static let formatVersion = "1.0"

    private let now: Instant
    /// The maximum number of unknown requests to list per occurrence; nil for all.
    let named: Int?

    package init(now: Instant, named: Int?) {
        self.now = now
        self.named = named
    }

    /// `overview`: nil if there is no state.
    package func render(
        _ overview: StateOverview?,
        of environment: EnvironmentID,
        unknowns: UnknownSource
    ) async throws(StateStoreError) -> String {
        var object: JSONObject = [
            "format_version": .string(Self.formatVersion),
            "environment": .string(environment.rawValue),
            "now": .string(now.utcText),
            "state": .null,
        ]
        if let overview {
            object["state"] = [
                "lineage": .string(overview.identity.lineage.text),
                "serial": .integer(overview.identity.serial.number),
            ]
            object["writer"] = overview.writer.json
            object["runners"] = .array(overview.runners.map(\.json))
            object["pauses"] = .array(overview.pauses.map(\.json))
            object["occurrences"] = .array(try await occurrences(in: overview, unknowns: unknowns))
            object["resolutions"] = .array(overview.resolutions.map(\.json))
            object["memberships"] = .array(overview.memberships.map(\.json))
            object["dead_registrations"] = .integer(Int64(overview.deadCount))
        }
        return JSONValue.object(object).prettyText + "\n"
    }

    private func occurrences(
        in overview: StateOverview,
        unknowns: UnknownSource
    ) async throws(StateStoreError) -> [JSONValue] {
        var values: [JSONValue] = []
        for occurrence in overview.occurrences {
            let isPaused = overview.pause(of: occurrence.id.campaign) != nil
            values.append(try await json(occurrence, isPaused: isPaused, unknowns: unknowns))
        }
        return values
    }

    private func json(
        _ occurrence: OccurrenceOverview,
        isPaused: Bool,
        unknowns: UnknownSource
    ) async throws(StateStoreError) -> JSONValue {
        var object: JSONObject = [
            "occurrence": .string(occurrence.id.description),
            "campaign": .string(occurrence.id.campaign.rawValue),
            "slot": .string(occurrence.id.slot.text),
            "revision": .integer(Int64(occurrence.id.revision)),
            "phase": .string(occurrence.phase.name),
            "paused": .bool(isPaused),
            "due": .string(occurrence.due.instant.utcText),
            "due_local": .string("\(occurrence.due.local) \(occurrence.due.zone)"),
        ]
        if let end = occurrence.deferredUntil {
            object["deferred_until"] = .string(end.instant.utcText)
        }
        if case .held(let hold) = occurrence.phase { object["hold"] = .string(hold.rawValue) }
        guard let unit = occurrence.unit else { return .object(object) }
        object["target"] = unit.target.json
        object["requests"] = .integer(Int64(unit.count))
        object["counts"] = .counts(occurrence.counts.named)
        object["repeated"] = .integer(Int64(occurrence.repeated))
        object["capped"] = .integer(Int64(unit.capped))
        if let compacted = unit.compacted { object["compacted"] = .string(compacted.utcText) }
        let problems = try await problems(of: occurrence, unknowns: unknowns)
        object["unknown"] = .array(problems.map(\.json))
        object["unknown_left_out"] = .integer(
            Int64(max(0, occurrence.counts.unknown - problems.count))
        )
        return .object(object)
    }
}

extension JSONValue {
    static func counts(_ counts: [(name: String, count: Int)]) -> JSONValue {
        .object(
            JSONObject(
                counts.map { JSONObject.Member(key: $0.name, value: .integer(Int64($0.count))) }
            )
        )
    }
}

extension CurrentWriter {
    fileprivate var json: JSONValue {
        switch self {
        case .nobody: .null
        case .somebody(let worker): worker?.json ?? [:]
        }
    }
}

extension Worker {
    var json: JSONValue {
        [
            "command": .string(command), "user": .string(user), "host": .string(host),
            "process": .integer(Int64(processID)), "since": .string(since.utcText),
        ]
    }
}

extension Runner {
    fileprivate var json: JSONValue {
        [
            "command": .string(command), "host": .string(host),
            "process": .integer(Int64(processID)), "since": .string(since.utcText),
            "last_seen": .string(lastSeen.utcText), "reads_lists": .bool(readsLists),
            "standby": .bool(isStandby),
        ]
    }
}

extension Pause {
    fileprivate var json: JSONValue {
        [
            "campaign": name.map { .string($0) } ?? .null, "since": .string(since.utcText),
            "user": .string(user), "host": .string(host),
        ]
    }
}

extension RequestedResolution {
    fileprivate var json: JSONValue {
        [
            "occurrence": .string(occurrence.description),
            "resolution": .string(resolution.name), "unknown": .integer(Int64(unknown)),
            "user": .string(user), "host": .string(host), "at": .string(at.utcText),
        ]
    }
}

extension MembershipSummary {
    var json: JSONValue {
        [
            "audience": .string(audience.rawValue), "topic": .string(topic.name),
            "counts": .counts(MembershipStatus.allCases.map { ($0.name, self[$0]) }),
        ]
    }
}
