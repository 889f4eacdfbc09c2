package import CampaignModel
import JSON
package import State
import Time

extension TableStore {
    package func request(_ resolution: RequestedResolution) throws(StateStoreError) -> Bool {
        try write { db in
            let found = try resolvable(resolution.occurrence, in: db)
            guard found.unit.unknown == resolution.unknown else { return false }
            try beginChain(db)
            let values: StatementValues = [
                resolution.resolution.rawValue, resolution.unknown, resolution.user,
                resolution.host, resolution.at.secondsSince1970,
            ]
            try db.run(
                """
                INSERT INTO resolutions
                    (campaign, slot, revision, resolution, unknown, "user", host, at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                """,
                arguments: resolution.occurrence.arguments + values
            )
            guard try db.changes() == 1 else { return false }
            try append(
                .ask,
                of: ChainedRowKey(in: .resolutions, at: resolution.occurrence.key),
                in: db
            )
            return true
        }
    }

    package func requestedResolutions() throws(StateStoreError) -> [RequestedResolution] {
        try read { db in try resolutions(in: db) }
    }

    package func perform(
        _ resolution: RequestedResolution,
        in run: RunID
    ) throws(StateStoreError) -> OutcomeTally {
        try write { db in
            let id = resolution.occurrence
            try append(ChainEntry(.settle, of: run.number, row: resolution.row), in: db)
            try db.run(
                "DELETE FROM resolutions WHERE campaign = ? AND slot = ? AND revision = ?",
                arguments: id.arguments
            )
            let found = try resolvable(id, in: db)
            guard found.unit.unknown == resolution.unknown else { return OutcomeTally() }
            let changed = try resolve(found.unit.id, as: resolution.resolution, in: db)
            let isOver = resolution.resolution != .resend || resolution.unknown == 0
            let status = isOver ? found.status : .dispatching
            let values: StatementValues = [status.rawValue, run.number]
            try db.run(
                """
                UPDATE occurrences SET status = ?, hold = NULL, run = ?
                WHERE campaign = ? AND slot = ? AND revision = ?
                """,
                arguments: values + id.arguments
            )
            try dropListNobodyNeeds(of: id, in: db)
            return changed
        }
    }

    package func hold(_ occurrence: OccurrenceID, with hold: Hold?) throws(StateStoreError) {
        try write { db in
            let values: StatementValues = [hold?.rawValue]
            try db.run(
                "UPDATE occurrences SET hold = ? WHERE campaign = ? AND slot = ? AND revision = ?",
                arguments: values + occurrence.arguments
            )
            guard try db.changes() == 1 else { throw failed("there is no \(occurrence)") }
        }
    }

    func resolutions(in db: any StateDatabase) throws -> [RequestedResolution] {
        var found: [RequestedResolution] = []
        let rows = try db.rows(
            """
            SELECT campaign, slot, revision, resolution, unknown, "user", host, at
            FROM resolutions ORDER BY id
            """
        )
        while let row = try rows.next() {
            let id = try occurrenceID(row, from: 0)
            guard let resolution = Resolution(rawValue: try row.decode(UInt8.self, atIndex: 3))
            else { throw damaged("\(id) has an unknown resolution") }
            found.append(
                RequestedResolution(
                    occurrence: id,
                    resolution: resolution,
                    unknown: try row.decode(Int.self, atIndex: 4),
                    user: try row.decode(String.self, atIndex: 5),
                    host: try row.decode(String.self, atIndex: 6),
                    at: Instant(secondsSince1970: try row.decode(Int64.self, atIndex: 7))
                )
            )
        }
        return found
    }
}

extension TableStore {
    private typealias Resolvable = (status: OccurrenceStatus, unit: (id: UnitID, unknown: Int))

    private func resolvable(_ id: OccurrenceID, in db: any StateDatabase) throws -> Resolvable {
        let row = try db.row(
            """
            SELECT status, units.id, unknown FROM occurrences JOIN units ON units.id = unit
            WHERE campaign = ? AND slot = ? AND revision = ?
            """,
            arguments: id.arguments
        )
        guard let row else { throw failed("no request of \(id) was sent") }
        let rawStatus = try row.decode(UInt8.self, atIndex: 0)
        guard let status = OccurrenceStatus(rawValue: rawStatus) else {
            throw damaged("\(id) has the unknown status \(rawStatus)")
        }
        let unit = UnitID(number: try row.decode(Int64.self, atIndex: 1))
        return (status, (unit, try row.decode(Int.self, atIndex: 2)))
    }

    private func resolve(
        _ unit: UnitID,
        as resolution: Resolution,
        in db: any StateDatabase
    ) throws -> OutcomeTally {
        let unit = try stored(unit, in: db)
        let outcomes = try numbers(in: unit, with: .unknown, limit: unit.count, on: db).map {
            RequestOutcome(index: $0, outcome: resolution.outcome, detail: resolution.detail)
        }
        let change = try replace(outcomes, of: unit, in: db)
        try add(change, released: 0, to: unit.id, in: db)
        var changed = OutcomeTally()
        changed[resolution.outcome] = outcomes.count
        return changed
    }
}

extension RequestedResolution {
    /// The row in the form of the chain.
    fileprivate var row: JSONObject {
        [
            "campaign": .string(occurrence.campaign.rawValue),
            "slot": .string(occurrence.slot.text),
            "revision": .integer(Int64(occurrence.revision)),
            "resolution": .integer(Int64(resolution.rawValue)),
            "unknown": .integer(Int64(unknown)), "user": .string(user), "host": .string(host),
            "at": .integer(at.secondsSince1970),
        ]
    }
}

extension Resolution {
    fileprivate var outcome: Outcome {
        switch self {
        case .sent: .accepted
        case .resend: .returned
        case .drop: .cancelled
        }
    }

    fileprivate var detail: String? {
        switch self {
        case .sent: "resolved: sent"
        case .resend: nil
        case .drop: "resolved: dropped"
        }
    }
}
