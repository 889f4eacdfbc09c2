package import CampaignModel
import FoundationEssentials
package import State
package import Time

extension TableStore {
    package func markDead(
        _ fingerprints: [Fingerprint],
        at moment: Instant
    ) throws(StateStoreError) {
        try write { db in
            for fingerprint in fingerprints {
                try db.run(
                    "INSERT INTO dead (fingerprint, since) VALUES (?, ?) ON CONFLICT DO NOTHING",
                    arguments: [fingerprint.blob, moment.secondsSince1970]
                )
            }
        }
    }

    package func revive(_ fingerprints: [Fingerprint]) throws(StateStoreError) -> Int {
        try write { db in
            let dead = try dead(among: fingerprints, in: db)
            for fingerprint in dead {
                try db.run("DELETE FROM dead WHERE fingerprint = ?", arguments: [fingerprint.blob])
            }
            return dead.count
        }
    }

    package func deadRegistrations() throws(StateStoreError) -> DeadRegistrations {
        try read { db in
            var found: [Fingerprint] = []
            let rows = try db.rows("SELECT fingerprint FROM dead ORDER BY fingerprint")
            while let row = try rows.next() {
                found.append(try fingerprint(row))
            }
            return DeadRegistrations(sorted: found)
        }
    }

    /// Reads a fingerprint from the first column.
    func fingerprint(_ row: any StoredRow) throws -> Fingerprint {
        guard let fingerprint = Fingerprint(blob: try row.decode(Data.self, atIndex: 0)) else {
            throw damaged("a fingerprint has no 16 bytes")
        }
        return fingerprint
    }

    /// Few registrations are looked up, so that the time does not depend on the number of dead ones.
    package func deadRegistrations(
        among fingerprints: [Fingerprint]
    ) throws(StateStoreError) -> DeadRegistrations {
        guard fingerprints.count <= Self.mostLookups else { return try deadRegistrations() }
        return try read { db in
            guard try db.row("SELECT 1 FROM dead LIMIT 1") != nil else { return .none }
            return DeadRegistrations(sorted: try dead(among: fingerprints, in: db).sorted())
        }
    }

    private func dead(
        among fingerprints: [Fingerprint],
        in db: any StateDatabase
    ) throws -> Set<Fingerprint> {
        let rows = try db.rows(
            "SELECT fingerprint FROM dead WHERE",
            arguments: [],
            where: "fingerprint",
            isAmong: fingerprints.map { .blob($0.blob) }
        )
        return Set(try rows.map { row in try fingerprint(row) })
    }

    private static var mostLookups: Int { 2_000 }

    package func deadCount() throws(StateStoreError) -> Int {
        try read { db in try deadCount(in: db) }
    }

    func deadCount(in db: any StateDatabase) throws -> Int {
        try db.row("SELECT count(*) FROM dead")?.decode(Int.self, atIndex: 0) ?? 0
    }
}
