import FoundationEssentials
import PostgresClient
package import State
import StoreTables

extension PostgresStore {
    private static var interval: Duration { .milliseconds(200) }

    package func lock(for worker: Worker, waiting: Duration) async throws(StateStoreError) {
        let deadline = ContinuousClock.now + waiting
        // A second attempt with the same token changes nothing, so that a lost answer does no harm.
        let token = lease?.fence.token ?? Data(SystemRandom.bytes(16))
        var isWaiting = false
        while true {
            if let epoch = try acquire(.writer, for: worker, token: token) {
                let fence = Fence(epoch: epoch, token: token)
                if lease?.fence != fence { lease = Lease(fence, of: .writer, at: place) }
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
        upkeep.segmentCounts = [:]
        units = [:]
        do throws(StateStoreError) {
            try checkFormat()
            try checkVault()
        } catch {
            unlock()
            throw error
        }
    }

    package func unlock() {
        lease?.release()
        lease = nil
    }

    /// Nil if another process has the lock.
    func acquire(
        _ table: LeaseTable,
        for worker: Worker,
        token: Data
    ) throws(StateStoreError) -> Int64? {
        let isLock = table == .writer
        return try mapErrors {
            let result = try perform(
                PostgresStatement(
                    """
                    UPDATE \(table.rawValue)
                    SET epoch = CASE WHEN token = $2 THEN epoch ELSE epoch + 1 END, token = $2,
                        expires = clock_timestamp() + \(Lease.lifetime), holder = $1
                        \(isLock ? ", waiting = NULL" : "")
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
