import CampaignModel
import FoundationEssentials
import PostgresClient
package import State
package import StoreTables
import Synchronization

/// A state in one schema of a PostgreSQL database, written by one process at a time (decision 72).
///
/// It keeps nothing in the session, so that a pool may give each transaction another connection. An
/// actor, because it owns the connection. Its calls run one after the other on a separate serial
/// queue: waiting for the server blocks no thread that runs other tasks.
package actor PostgresStore: TableStore {
    nonisolated package let path: String
    nonisolated let place: PostgresPlace
    nonisolated let keyring: Mutex<StateKeyring>
    nonisolated let events: Events
    nonisolated let copies: ListCopies
    nonisolated private let executor = StoreExecutor()
    package var upkeep = MembershipUpkeep()
    /// Nil until it is needed, and after it was lost.
    var pipeline: PostgresPipeline?
    /// This process in the table of workers; nil until it writes.
    var worker: RegisteredWorker?
    /// Nil unless this process has the lock.
    var lease: Lease?
    /// The outcomes of the units that this store records.
    var units: [UnitID: UnitOutcomes] = [:]
    /// The records for the next commit.
    var pendingRecords: [PendingRecord] = []
    /// What this process sent itself.
    var sent = SentUnits()
    /// What this process knows of failovers.
    var failover = FailoverState()

    nonisolated package var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// What a store reports while it is open.
    package struct Events: Sendable {
        /// Called when the state has moved to the current key.
        let didRewrap: @Sendable () -> Void
        /// Called when the beginning of a run is committed, before its first effect.
        let didBeginRun: @Sendable (PostgresStore) async -> Void

        package init(
            didRewrap: @escaping @Sendable () -> Void = {},
            didBeginRun: @escaping @Sendable (PostgresStore) async -> Void = { _ in }
        ) {
            self.didRewrap = didRewrap
            self.didBeginRun = didBeginRun
        }
    }

    init(at place: PostgresPlace, keyring: StateKeyring, events: Events) {
        path = place.name
        self.place = place
        self.keyring = Mutex(keyring)
        self.events = events
        copies = ListCopies(at: place)
    }

    nonisolated package var openedVault: StateVault? { keyring.withLock(\.vault) }
}

// MARK: - Runs

extension PostgresStore {
    package func version() throws(StateStoreError) -> StateVersion {
        try read { db in try db.version() }
    }

    package func beginRun(_ worker: Worker) async throws(StateStoreError) -> RunID {
        let own = try mapErrors { try registered() }.id
        let run = try write { db in
            try strikeOffWorkers(except: own, in: db)
            return try beginRun(worker, in: db)
        }
        await events.didBeginRun(self)
        return run
    }

    /// Removes processes that have not committed for a day; their commits still count.
    private func strikeOffWorkers(except own: Data, in db: any StateDatabase) throws {
        try db.run(
            """
            WITH gone AS (
                DELETE FROM worker
                WHERE beat < clock_timestamp() - interval '1 day' AND id <> ? RETURNING commits)
            UPDATE meta SET retired = retired + (SELECT sum(commits) FROM gone)
            WHERE EXISTS (SELECT 1 FROM gone)
            """,
            arguments: [own]
        )
    }

    package func finishRun(_ run: RunID, as end: RunEnd) throws(StateStoreError) {
        try recordEnd(of: run, as: end)
        units = [:]
        // The run is complete; the next one repeats what this does not achieve.
        try? keepUpMemberships()
    }

    /// Notes of a process are of no use to a process on another machine, and need the state's folder:
    /// there are none, so the high-water mark alone counts.
    package func beginFlightNotes(of unit: UnitID, room: Int) -> (any FlightNotes)? { nil }

    package func endFlightNotes(of unit: UnitID) {}

    package func flightRecords(of unit: UnitID) -> [Int: FlightRecord]? { nil }
}

// MARK: - Keys

extension PostgresStore {
    /// Determines which keys the state needs, and keeps them.
    func openVault() throws(StateStoreError) {
        let keys = keyring.withLock(\.self)
        let found = try read { db in try keys.storedVault(in: db, path: path) }
        keyring.withLock { $0.vault = found?.vault }
    }

    /// Ensures, for the writer only, that it seals its content like the rest: the state may have
    /// changed between opening and locking.
    func checkVault() throws(StateStoreError) {
        let keys = keyring.withLock(\.self)
        let isRewrapped = try read { db in try keys.isRewrapped(in: db, path: path) }
        if !isRewrapped, try write({ db in try keys.rewrap(in: db, path: path) }) {
            events.didRewrap()
        }
    }
}

// MARK: - Erasing

extension PostgresStore {
    /// Frees the space of erased rows.
    ///
    /// The server may keep their bytes until it uses
    /// the space, and longer in its log and in backups.
    package func writeErasing<Value>(
        _ body: (any StateDatabase) throws -> Value
    ) throws(StateStoreError) -> Value {
        let value = try write(body)
        let tables = [
            "list_chunks", "membership_chunks", "registration_pages", "people_chunks", "dead",
            "device_group_members", "run_sendings", "subject_outcomes", "opt_outs",
            "upstream_exclusions", "upstream_members", "upstream_answers",
        ]
        let names = tables.map { "\(place.schema).\($0)" }.joined(separator: ", ")
        if let pipeline {
            let vacuum = PostgresStatement("VACUUM \(names)")
            _ = try? pipeline.send([vacuum], within: PostgresLimit.patience(PostgresLimit.answer))
        }
        return value
    }

    /// `writeErasing` has done what is possible.
    package func sweep() -> Bool { true }

    /// There are no files; outcomes in memory are no longer those in the tables.
    package func removeFiles(of units: [UnitID]) {
        for unit in units { self.units[unit] = nil }
    }
}
