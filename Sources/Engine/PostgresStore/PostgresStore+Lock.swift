import FoundationEssentials
import PostgresClient
package import State
import StoreTables

/// The lock of the state, as the server gave it to this process.
struct TakenLock {
    let fence: Fence
    /// The token of an earlier holder whose last commits a failover may have lost; nil if there is none.
    let doubted: Data?
    /// The timeline of the server.
    let timeline: Int64
    /// Whether commits wait for a standby.
    let isSynchronous: Bool
}

extension PostgresStore {
    private static var interval: Duration { .milliseconds(200) }

    package func lock(for worker: Worker, waiting: Duration) async throws(StateStoreError) {
        let deadline = ContinuousClock.now + waiting
        // A second attempt with the same token changes nothing, so that a lost answer does no harm.
        let token = lease?.fence.token ?? Data(SystemRandom.bytes(16))
        var isWaiting = false
        let taken: TakenLock
        while true {
            if let found = try acquireLock(for: worker, token: token) {
                taken = found
                break
            }
            let left = deadline - .now
            if left > .zero {
                isWaiting = true
                try announceWaiting()
            }
            guard left > .zero, await Self.sleep(min(left, Self.interval)) else {
                if isWaiting { try? stopWaiting() }
                throw .locked(holder: try holder())
            }
        }
        let isNew = lease?.fence != taken.fence
        if isNew { lease = Lease(taken.fence, of: .writer, at: place) }
        failover.lock(with: token, for: worker)
        sent.forgetOld()
        upkeep.segmentCounts = [:]
        units = [:]
        do throws(StateStoreError) {
            try checkFormat()
            try settleFailover(taken)
            try checkVault()
        } catch {
            unlock()
            throw error
        }
        if isNew, !taken.isSynchronous { awaitStandbys() }
    }

    package func unlock() {
        guard let lease else { return }
        if failover.mayRelease {
            if lease.release() == false {
                confirmLock()
                lease.release()
            }
        }
        lease.abandon()
        self.lease = nil
        failover.unlock()
    }

    /// Nil if another process has the lock.
    ///
    /// If a failover may have lost commits of the last holder, another process waits longer for the lock,
    /// because only the last holder can record again what it sent.
    private func acquireLock(
        for worker: Worker,
        token: Data
    ) throws(StateStoreError) -> TakenLock? {
        try mapErrors {
            let result = try perform(
                PostgresStatement(
                    Self.acquisition,
                    [
                        .text(worker.lockText), .bytes(token),
                        failover.tokens.last.map { .bytes($0) } ?? .null,
                        sent.isEmpty ? .null : failover.confirmed.map { .integer($0) } ?? .null,
                    ]
                )
            )
            guard result.rowCount == 1 else { return nil }
            let row = PostgresRow(result, 0)
            return TakenLock(
                fence: Fence(epoch: try row.decode(Int64.self, atIndex: 0), token: token),
                doubted: try row.decode(Data?.self, atIndex: 1),
                timeline: try row.decode(Int64.self, atIndex: 2),
                isSynchronous: try row.decode(Bool.self, atIndex: 3)
            )
        }
    }

    /// Takes the lock.
    ///
    /// `$3`: the token of the last lock of this process; `$4`: the timeline that has everything that this
    /// process sent, NULL if it sent nothing. On a new timeline, new units do not get the numbers of lost
    /// ones.
    private static let acquisition = """
        WITH former AS (SELECT timeline AS known FROM writer WHERE id = 1)
        UPDATE writer
        SET epoch = CASE WHEN token = $2 THEN epoch ELSE epoch + 1 END, token = $2,
            doubted = CASE
                WHEN token = $2 OR doubted IS NOT NULL THEN doubted
                WHEN expires > '-infinity' AND timeline <> fleet_timeline() AND synchronous = 0
                    THEN token
                WHEN $4::bigint <> fleet_timeline() THEN $3::bytea END,
            timeline = CASE WHEN token = $2 THEN timeline ELSE fleet_timeline() END,
            synchronous = CASE WHEN token = $2 THEN synchronous
                ELSE (current_setting('synchronous_standby_names') <> '')::int END,
            expires = clock_timestamp() + \(Lease.lifetime), holder = $1, waiting = NULL
        FROM former
        WHERE id = 1 AND (token = $2 OR token = $3::bytea OR clock_timestamp() >= expires + CASE
            WHEN timeline <> fleet_timeline() AND synchronous = 0 THEN \(Lease.lifetime)
            ELSE interval '0' END)
        RETURNING epoch, doubted, fleet_timeline(), synchronous,
            CASE WHEN known <> fleet_timeline() THEN
                setval(pg_get_serial_sequence('units', 'id')::regclass,
                    nextval(pg_get_serial_sequence('units', 'id')::regclass) + 1000000) END
        """

    /// Takes the role of the service that sends; nil if another process has it.
    func acquireRole(for worker: Worker, token: Data) throws(StateStoreError) -> Int64? {
        try mapErrors {
            let result = try perform(
                PostgresStatement(
                    """
                    UPDATE service
                    SET epoch = CASE WHEN token = $2 THEN epoch ELSE epoch + 1 END, token = $2,
                        expires = clock_timestamp() + \(Lease.lifetime), holder = $1
                    WHERE id = 1 AND (expires <= clock_timestamp() OR token = $2)
                    RETURNING epoch
                    """,
                    [.text(worker.lockText), .bytes(token)]
                )
            )
            guard result.rowCount == 1 else { return nil }
            return try PostgresRow(result, 0).decode(Int64.self, atIndex: 0)
        }
    }

    /// The announcement ends by itself if this process ends.
    private func announceWaiting() throws(StateStoreError) {
        try mapErrors {
            _ = try perform(
                PostgresStatement(
                    """
                    UPDATE writer SET waiting = clock_timestamp() + interval '5 s'
                    WHERE id = 1
                        AND coalesce(waiting < clock_timestamp() + interval '3 s', true)
                    """
                )
            )
        }
    }

    /// Other processes that wait announce it again.
    private func stopWaiting() throws(StateStoreError) {
        try mapErrors {
            _ = try perform(PostgresStatement("UPDATE writer SET waiting = NULL WHERE id = 1"))
        }
    }

    private func holder() throws(StateStoreError) -> Worker? {
        if case .somebody(let worker) = try currentWriter() { worker } else { nil }
    }

    package func currentWriter() throws(StateStoreError) -> CurrentWriter {
        try holder(of: .writer)
    }

    func holder(of table: LeaseTable) throws(StateStoreError) -> CurrentWriter {
        try read { db in
            let row = try db.row(
                "SELECT holder FROM \(table.rawValue) WHERE id = 1 AND expires > clock_timestamp()"
            )
            guard let row else { return .nobody }
            return .somebody(
                try row.decode(String?.self, atIndex: 0).flatMap(Worker.init(lockText:))
            )
        }
    }

    package func hasWaitingWriter() -> Bool {
        let isWaiting = try? read { db in
            try db.row("SELECT 1 FROM writer WHERE id = 1 AND waiting > clock_timestamp()") != nil
        }
        return isWaiting ?? false
    }

    /// Returns false if the task was cancelled.
    private static func sleep(_ duration: Duration) async -> Bool {
        do {
            try await Task.sleep(for: duration)
            return true
        } catch {
            return false
        }
    }
}
