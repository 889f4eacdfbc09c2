package import CampaignModel
import JSON
package import State
import Time

extension TableStore {
    package func change(
        _ occurrence: OccurrenceID,
        by change: RolloutChange
    ) throws(StateStoreError) -> RolloutRecord? {
        try write { db in
            // Another process may change it between reading and writing.
            for _ in 0..<Self.attempts {
                guard let old = try rolloutText(of: occurrence, in: db),
                    let changed = try rollout(old, of: occurrence).applying(change)
                else { return nil }
                if try replace(old, with: changed, due: change.due, of: occurrence, in: db) {
                    return changed
                }
            }
            return nil
        }
    }

    private static var attempts: Int { 3 }

    private func rolloutText(
        of occurrence: OccurrenceID,
        in db: any StateDatabase
    ) throws -> String? {
        let status: StatementValues = [OccurrenceStatus.dispatching.rawValue]
        return try db.row(
            """
            SELECT rollout FROM occurrences
            WHERE campaign = ? AND slot = ? AND revision = ? AND status = ?
            """,
            arguments: occurrence.arguments + status
        )?.decode(String?.self, atIndex: 0)
    }

    private func replace(
        _ old: String,
        with new: RolloutRecord,
        due: Instant?,
        of occurrence: OccurrenceID,
        in db: any StateDatabase
    ) throws -> Bool {
        let values: StatementValues = [new.stored.compactText, due?.secondsSince1970]
        let comparison: StatementValues = [old]
        try db.run(
            """
            UPDATE occurrences SET rollout = ?, due = coalesce(?, due)
            WHERE campaign = ? AND slot = ? AND revision = ? AND rollout = ?
            """,
            arguments: values + occurrence.arguments + comparison
        )
        return try db.changes() == 1
    }
}

extension RolloutChange {
    /// From when the lifetime of the rest counts; nil if that does not change.
    fileprivate var due: Instant? {
        switch self {
        case .begin(_, let time, _): time
        case .goOn(let decision): decision.at
        case .count, .stop, .abort: nil
        }
    }
}
