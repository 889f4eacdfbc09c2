import Dispatch
import FoundationEssentials
import PostgresClient
import Synchronization

/// The tables with a single row that is a lock.
enum LeaseTable: String {
    /// The lock of the state.
    case writer
    /// The role of the service that sends.
    case service
}

/// What a transaction of the writer is checked against: epoch and token, because epochs can repeat
/// after a failover.
struct Fence: Hashable, Sendable {
    let epoch: Int64
    let token: Data
}

/// A lock that ends by the server's clock unless it is renewed.
///
/// It is renewed on a separate connection and queue, so that a long transaction does not end it.
/// No safety depends on it: each transaction checks the fence. A class, because its deinitializer
/// gives up the lock.
final class Lease: Sendable {
    let fence: Fence
    private let table: LeaseTable
    private let place: PostgresPlace
    private let queue = DispatchQueue(label: "herald.lease")
    private let connection = Mutex(Connection())

    /// By the server's clock.
    static let lifetime = "interval '15 s'"
    private static let interval = DispatchTimeInterval.seconds(5)
    private static let patience = Duration.seconds(4)

    private struct Connection {
        var pipeline: PostgresPipeline?
        var isReleased = false
    }

    init(_ fence: Fence, of table: LeaseTable, at place: PostgresPlace) {
        self.fence = fence
        self.table = table
        self.place = place
        schedule()
    }

    deinit {
        release()
    }

    private func schedule() {
        queue.asyncAfter(deadline: .now() + Self.interval) { [weak self] in
            guard let self, renew() else { return }
            schedule()
        }
    }

    /// Returns whether to try again later.
    private func renew() -> Bool {
        connection.withLock { connection in
            guard !connection.isReleased else { return false }
            // Without an answer, the next attempt is in time, or the lease ends.
            let isHeld = execute(
                [statement("expires = clock_timestamp() + \(Self.lifetime)")],
                on: &connection
            )
            return isHeld ?? true
        }
    }

    /// Gives up the lock; if the server does not answer, the lease ends by itself.
    ///
    /// A lock that was released means that no commit of its holder is lost. It therefore stays if the
    /// server has another timeline than the one that has all commits of the holder.
    ///
    /// - Returns: Whether it is released; nil without an answer, or if it was released before.
    @discardableResult
    func release() -> Bool? {
        connection.withLock { connection in
            guard !connection.isReleased else { return nil }
            let isOnTimeline = table == .writer ? "AND timeline = fleet_timeline()" : ""
            let statements =
                PostgresBeginning.appending.statements(schema: place.schema) + [
                    statement("expires = '-infinity', holder = NULL", if: isOnTimeline)
                ]
            let isReleased = execute(
                statements,
                followedBy: [PostgresStatement("COMMIT")],
                on: &connection
            )
            connection.isReleased = isReleased ?? true
            if connection.isReleased { connection.pipeline = nil }
            return isReleased
        }
    }

    /// Lets the lease end by itself, so that the next holder sees that the lock was not released.
    func abandon() {
        connection.withLock { connection in
            connection.isReleased = true
            connection.pipeline = nil
        }
    }

    private func statement(_ change: String, if condition: String = "") -> PostgresStatement {
        PostgresStatement(
            """
            UPDATE \(place.schema).\(table.rawValue) SET \(change)
            WHERE id = 1 AND epoch = $1 AND token = $2 \(condition)
            """,
            [.integer(fence.epoch), .bytes(fence.token)]
        )
    }

    /// Whether the last one of the statements changed the row; nil without an answer.
    private func execute(
        _ statements: [PostgresStatement],
        followedBy rest: [PostgresStatement] = [],
        on connection: inout Connection
    ) -> Bool? {
        do throws(PostgresError) {
            let patience = PostgresLimit.patience(Self.patience)
            let pipeline: PostgresPipeline
            if let open = connection.pipeline, open.isUsable {
                pipeline = open
            } else {
                pipeline = try PostgresPipeline(to: place.address, within: patience)
                connection.pipeline = pipeline
            }
            let results = try pipeline.send(statements + rest, within: patience)
            return results[statements.count - 1].changes == 1
        } catch {
            connection.pipeline = nil
            return nil
        }
    }
}
