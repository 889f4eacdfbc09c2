import CampaignModel
import FoundationEssentials
package import JSON
import PostgresClient
package import State
import StoreTables
import Text

extension PostgresStore {
    /// What to do if a database has no state.
    package enum MissingState: Sendable {
        case refused
        /// `randomBytes`: returns as many bytes as requested, suitable for keys.
        case created(randomBytes: @Sendable (Int) -> [UInt8] = { SystemRandom.bytes($0) })
    }

    /// PostgreSQL 15.
    private static var oldestVersion: Int { 150_000 }

    /// Opens the state in a schema of a database, and creates the schema if it is missing.
    ///
    /// - Parameters:
    ///   - place: The database and the schema.
    ///   - keys: As for `SQLiteStore`.
    ///   - missing: What to do if the state is missing.
    ///   - events: What the store reports.
    /// - Returns: The store, which gives up its lock in its deinitializer.
    /// - Throws: The problem with the server, the state or its keys, also if the server does not keep
    ///   commits, or accepts no changes.
    package static func open(
        _ place: PostgresPlace,
        keys: StateKeys = .none,
        ifMissing missing: MissingState = .created(),
        events: Events = Events()
    ) async throws(StateStoreError) -> PostgresStore {
        let store = PostgresStore(
            at: place,
            keyring: StateKeyring(key: keys.key, previous: keys.previous),
            events: events
        )
        try await store.begin(key: keys.key, ifMissing: missing)
        return store
    }

    /// Whether a database has a state, in any condition.
    package static func isThere(_ place: PostgresPlace) async throws(StateStoreError) -> Bool {
        try await closed(place).exists()
    }

    /// Reads the settings of the environment at the last apply, which are not encrypted, without
    /// the state's keys.
    ///
    /// - Returns: Nil before the first apply.
    package static func environment(
        ofStateAt place: PostgresPlace
    ) async throws(StateStoreError) -> JSONValue? {
        let store = closed(place)
        try await store.checkServer()
        try await store.checkFormat()
        return try await store.environment()
    }

    static func closed(_ place: PostgresPlace) -> PostgresStore {
        PostgresStore(
            at: place,
            keyring: StateKeyring(key: nil, previous: nil),
            events: Events()
        )
    }

    private func begin(key: StateKey?, ifMissing missing: MissingState) throws(StateStoreError) {
        try checkServer()
        if try !exists() {
            switch missing {
            case .refused: throw .missing(path: path)
            case .created(let randomBytes): try create(key: key, randomBytes: randomBytes)
            }
        }
        try checkFormat()
        try openVault()
    }

    /// - Throws: `.server` if the server is too old, accepts no changes, or loses commits.
    func checkServer() throws(StateStoreError) {
        let problem = try mapErrors { () -> StateServerProblem? in
            let pipeline = try connected()
            if pipeline.serverVersion < Self.oldestVersion {
                let (major, minor) = pipeline.serverVersion.quotientAndRemainder(dividingBy: 10_000)
                return .tooOld(version: "\(major).\(minor)")
            }
            let result = try pipeline.send(
                [
                    PostgresStatement(
                        """
                        SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::bool,
                            current_setting('fsync')::bool, current_setting('full_page_writes')::bool
                        """
                    )
                ],
                within: PostgresLimit.patience(PostgresLimit.answer)
            )
            let row = PostgresRow(result[0], 0)
            if try row.decode(Bool.self, atIndex: 0) { return .readOnly }
            if try !row.decode(Bool.self, atIndex: 1) { return .unsafeSetting(name: "fsync") }
            if try !row.decode(Bool.self, atIndex: 2) {
                return .unsafeSetting(name: "full_page_writes")
            }
            return nil
        }
        if let problem { throw .server(path: path, problem) }
    }

    func exists() throws(StateStoreError) -> Bool {
        try mapErrors {
            let statement = PostgresStatement(
                "SELECT to_regclass($1) IS NOT NULL",
                [.text("\(place.schema).meta")]
            )
            let result = try connected()
                .send([statement], within: PostgresLimit.patience(PostgresLimit.answer))
            return try PostgresRow(result[0], 0).decode(Bool.self, atIndex: 0)
        }
    }

    func checkFormat() throws(StateStoreError) {
        let (format, moved) = try read { db -> (Int, String?) in
            guard let row = try db.row("SELECT format, moved FROM meta WHERE id = 1") else {
                throw damaged("it has no lineage")
            }
            return (
                try row.decode(Int.self, atIndex: 0), try row.decode(String?.self, atIndex: 1)
            )
        }
        guard format == PostgresSchema.format else {
            throw .otherFormat(path: path, found: format, supported: PostgresSchema.format)
        }
        if let moved { throw .moved(path: path, to: moved) }
    }

    /// Creates all tables in one transaction; if another process creates them at the same time, its
    /// state is used.
    private func create(
        key: StateKey?,
        randomBytes: (Int) -> [UInt8]
    ) throws(StateStoreError) {
        let lineage = Hexadecimal.text(of: randomBytes(16))
        let fingerprintKey = FingerprintKey(bytes: randomBytes(32))
        let keys: Data?
        do {
            keys = try key.map {
                try StateVault(dataKey: randomBytes(32), fingerprintKey: fingerprintKey)
                    .wrapped(under: $0, lineage: lineage)
            }
        } catch {
            throw failed("its keys cannot be encrypted")
        }
        let meta = PostgresStatement(
            """
            INSERT INTO meta (id, format, serial, lineage, fingerprint_key, keys)
            VALUES (1, $1, 0, $2, $3::bytea, $4::bytea)
            """,
            [
                .integer(Int64(PostgresSchema.format)), .text(lineage),
                keys == nil ? .bytes(Data(fingerprintKey.bytes)) : .null,
                keys.map { .bytes($0) } ?? .null,
            ]
        )
        do throws(StateStoreError) {
            try mapErrors {
                let pipeline = try connected()
                let beginning = PostgresBeginning.appending.statements(schema: place.schema)
                do {
                    _ = try pipeline.send(
                        beginning + tables(randomBytes) + [meta, PostgresStatement("COMMIT")],
                        within: PostgresLimit.patience(PostgresLimit.answer)
                    )
                } catch {
                    rollBack(pipeline)
                    throw error
                }
            }
        } catch {
            guard try exists() else { throw error }
        }
    }

    /// Creates the schema, and all tables with the rows that every state has, except for `meta`.
    func tables(_ randomBytes: (Int) -> [UInt8]) -> [PostgresStatement] {
        let locks = [
            "INSERT INTO service (id, epoch, token, expires) VALUES (1, 0, $1, '-infinity')",
            """
            INSERT INTO writer (id, epoch, token, expires, timeline)
            VALUES (1, 0, $1, '-infinity', fleet_timeline())
            """,
        ].map { PostgresStatement($0, [.bytes(Data(randomBytes(16)))]) }
        let inbox = PostgresStatement(
            "INSERT INTO inbox_meta (id, name) VALUES (1, $1)",
            [.text(Hexadecimal.text(of: randomBytes(16)))]
        )
        let schema = "CREATE SCHEMA IF NOT EXISTS \(place.schema)"
        let texts =
            [schema] + PostgresSchema.statements(in: place.schema)
            + ["INSERT INTO page_number (id, last) VALUES (1, 0)"]
        return texts.map { PostgresStatement($0) } + locks + [inbox]
    }
}
