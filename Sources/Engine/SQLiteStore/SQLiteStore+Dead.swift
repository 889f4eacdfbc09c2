package import CampaignModel
import FoundationEssentials
import GRDB
package import State
package import Time

extension SQLiteStore {
    package func markDead(
        _ fingerprints: [Fingerprint],
        at moment: Instant
    ) throws(StateStoreError) {
        try write { db in
            for fingerprint in fingerprints {
                try db.run(
                    "INSERT OR IGNORE INTO dead (fingerprint, since) VALUES (?, ?)",
                    arguments: [fingerprint.blob, moment.secondsSince1970]
                )
            }
        }
    }

    package func revive(_ fingerprints: [Fingerprint]) throws(StateStoreError) -> Int {
        try write { db in
            var revived = 0
            for fingerprint in fingerprints {
                try db.run("DELETE FROM dead WHERE fingerprint = ?", arguments: [fingerprint.blob])
                revived += db.changesCount
            }
            return revived
        }
    }

    package func deadRegistrations() throws(StateStoreError) -> DeadRegistrations {
        try read { db in
            var found: [Fingerprint] = []
            let rows = try db.rows("SELECT fingerprint FROM dead ORDER BY fingerprint")
            while let row = try rows.next() {
                let blob = try row.decode(Data.self, atIndex: 0)
                guard let fingerprint = Fingerprint(blob: blob) else {
                    throw damaged("a dead registration has no fingerprint")
                }
                found.append(fingerprint)
            }
            return DeadRegistrations(sorted: found)
        }
    }

    /// Few registrations are looked up, so that the time does not depend on the number of dead ones.
    package func deadRegistrations(
        among fingerprints: [Fingerprint]
    ) throws(StateStoreError) -> DeadRegistrations {
        guard fingerprints.count <= Self.mostLookups else { return try deadRegistrations() }
        return try read { db in
            guard try db.row("SELECT 1 FROM dead LIMIT 1") != nil else { return .none }
            let dead = try fingerprints.filter { fingerprint in
                try db.row(
                    "SELECT 1 FROM dead WHERE fingerprint = ?",
                    arguments: [fingerprint.blob]
                ) != nil
            }
            return DeadRegistrations(sorted: dead.sorted())
        }
    }

    private static let mostLookups = 2_000

    package func deadCount() throws(StateStoreError) -> Int {
        try read { db in try deadCount(in: db) }
    }

    func deadCount(in db: Database) throws -> Int {
        try db.row("SELECT count(*) FROM dead")?.decode(Int.self, atIndex: 0) ?? 0
    }
}
