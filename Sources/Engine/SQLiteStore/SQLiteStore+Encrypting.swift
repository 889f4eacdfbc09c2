import CampaignModel
import FoundationEssentials
import GRDB
package import State
import StoreTables
import Synchronization

extension SQLiteStore {
    /// Encrypts a plain state, or completes an interrupted encryption; the caller holds the write
    /// lock.
    ///
    /// Everything is sealed in one transaction. Then the file is rewritten and the write-ahead log
    /// emptied, so that no page contains a plain registration. A disk or a backup may still have
    /// the old content, which Herald cannot detect.
    ///
    /// - Throws: `.wrongKey` if the state is encrypted with another key.
    package func encrypt(
        with key: StateKey,
        randomBytes: @Sendable (Int) -> [UInt8] = SystemRandom.bytes
    ) throws(StateStoreError) {
        let dataKey = randomBytes(32)
        do {
            try queue.writeWithoutTransaction { db in
                try Connection.forgetful(db)
                let made = try db.immediately { try seal($0, with: key, dataKey: dataKey) }
                keyring.withLock { $0 = StateKeyring(key: key, vault: made) }
            }
        } catch {
            throw StateStoreError(error, path: path)
        }
        guard try sweep() else {
            throw failed(
                "it is done, but a reader still keeps the previous content in the write-ahead log; "
                    + "the next apply empties the log"
            )
        }
    }

    private func seal(_ db: Database, with key: StateKey, dataKey: [UInt8]) throws -> StateVault {
        let lineage = try lineage(db)
        let row = try db.row("SELECT fingerprint_key, keys FROM meta")
        if let wrapped = try row?.decode(Data?.self, atIndex: 1) {
            switch StateVault.unwrap(wrapped, lineage: lineage, with: [key]) {
            case .vault(let vault, _): return vault
            case .wrongKey: throw StateStoreError.wrongKey(path: path)
            case .damaged: throw damaged("its keys cannot be decrypted")
            }
        }
        guard let plain = try row?.decode(Data?.self, atIndex: 0) else {
            throw damaged("it has no key for fingerprints")
        }
        let vault = StateVault(
            dataKey: dataKey,
            fingerprintKey: FingerprintKey(bytes: Array(plain))
        )
        try sealMembers(in: db, with: vault)
        try sealPages(in: db, with: vault)
        try sealUpstreamMembers(in: db, with: vault)
        try StoredLists(vault: nil, folder: lists).embed(
            in: db,
            otherwise: damaged("a part of a stored list is missing or damaged")
        ) { try vault.seal($0, at: $1) }
        try db.run(
            "UPDATE meta SET fingerprint_key = NULL, keys = ?, unswept = 1",
            arguments: [try vault.wrapped(under: key, lineage: lineage)]
        )
        return vault
    }

    /// Seals rows one by one in key order, so that memory does not grow with the state.
    private func sealMembers(in db: Database, with vault: StateVault) throws {
        var last = Int64.min
        while let row = try db.row(
            """
            SELECT c.rowid, scope, segment, last, records, checksum
            FROM membership_chunks AS c JOIN membership_segments ON id = segment
            WHERE c.rowid > ? ORDER BY c.rowid LIMIT 1
            """,
            arguments: [last]
        ) {
            last = try row.decode(Int64.self, atIndex: 0)
            guard let highest = Fingerprint(blob: try row.decode(Data.self, atIndex: 3)) else {
                throw damaged("a membership cannot be read")
            }
            let place = SealedPlace.records(
                scope: try row.decode(Int64.self, atIndex: 1),
                segment: try row.decode(Int64.self, atIndex: 2),
                last: highest
            )
            let sealed = try sealed(row, from: 4, at: place, with: vault)
            try db.run(
                "UPDATE membership_chunks SET records = ?, checksum = ? WHERE rowid = ?",
                arguments: [sealed, Checksum.of(sealed), last]
            )
        }
    }

    private func sealPages(in db: Database, with vault: StateVault) throws {
        var last = Int64.min
        while let row = try db.row(
            """
            SELECT id, registrations, checksum FROM registration_pages
            WHERE id > ? ORDER BY id LIMIT 1
            """,
            arguments: [last]
        ) {
            last = try row.decode(Int64.self, atIndex: 0)
            let sealed = try sealed(row, from: 1, at: .registrations(page: last), with: vault)
            try db.run(
                "UPDATE registration_pages SET registrations = ?, checksum = ? WHERE id = ?",
                arguments: [sealed, Checksum.of(sealed), last]
            )
        }
    }

    private func sealUpstreamMembers(in db: Database, with vault: StateVault) throws {
        let rows = try Row.fetchAll(
            db,
            sql: "SELECT rule, fingerprint, registration FROM upstream_members"
        )
        for row in rows {
            let rule = try row.decode(String.self, atIndex: 0)
            let blob = try row.decode(Data.self, atIndex: 1)
            guard let fingerprint = Fingerprint(blob: blob) else {
                throw damaged("a fingerprint has no 16 bytes")
            }
            let plain = try row.decode(Data.self, atIndex: 2)
            let place = SealedPlace.upstreamMember(rule: rule, fingerprint)
            try db.run(
                "UPDATE upstream_members SET registration = ? WHERE rule = ? AND fingerprint = ?",
                arguments: [try vault.seal(plain, at: place), rule, blob]
            )
        }
    }

    /// Seals the content of a column; the next column contains its checksum.
    private func sealed(
        _ row: Row,
        from column: Int,
        at place: SealedPlace,
        with vault: StateVault
    ) throws -> Data {
        let plain = try row.decode(Data.self, atIndex: column)
        guard try row.decode(Int64.self, atIndex: column + 1) == Checksum.of(plain) else {
            throw damaged("stored memberships do not match their checksum")
        }
        return try vault.seal(plain, at: place)
    }
}

// MARK: - Old content

extension SQLiteStore {
    /// Rewrites a file that may still contain sealed or erased content; the caller holds the write
    /// lock.
    ///
    /// - Returns: False if the log could not be emptied because of a reader; the next writer tries
    ///   again.
    package func sweep() throws(StateStoreError) -> Bool {
        do {
            return try queue.writeWithoutTransaction { db in
                guard try db.row("SELECT 1 FROM meta WHERE unswept = 1") != nil else { return true }
                sweepLists(neededBy: db)
                try rewrite(db)
                guard try emptyLog(db) else { return false }
                try db.immediately { try $0.run("UPDATE meta SET unswept = 0") }
                return true
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            return false
        } catch {
            throw StateStoreError(error, path: path)
        }
    }

    private func rewrite(_ db: Database) throws {
        // All content is sealed, and may exceed the memory.
        try db.execute(sql: "PRAGMA temp_store = FILE")
        defer { try? db.execute(sql: "PRAGMA temp_store = MEMORY") }
        try db.execute(sql: "VACUUM")
    }

    /// Returns false if there is a reader.
    private func emptyLog(_ db: Database) throws -> Bool {
        let row = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        return try row?.decode(Int.self, atIndex: 0) == 0
    }
}
