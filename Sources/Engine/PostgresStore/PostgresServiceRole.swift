import FoundationEssentials
package import State
import StoreTables
import Synchronization

/// The role of the service that sends from a state: a lease, which ends by the server's clock if the
/// process does not renew it.
///
/// A class, because its deinitializer gives up the role.
package final class PostgresServiceRole: ServiceRole {
    private let store: PostgresStore
    /// A second attempt with the same token changes nothing, so that a lost answer does no harm.
    private let token = Data(SystemRandom.bytes(16))
    private let held = Mutex<Lease?>(nil)

    /// Each attempt is a transaction on the server.
    package var interval: Duration { .seconds(1) }

    package init(in store: PostgresStore) {
        self.store = store
    }

    package func take(for worker: Worker) async throws(StateStoreError) -> ServiceRoleAttempt {
        guard let epoch = try await store.acquireRole(for: worker, token: token) else {
            if case .somebody(let worker) = try await store.holder(of: .service) {
                return .held(by: worker)
            }
            return .held(by: nil)
        }
        let lease = Lease(Fence(epoch: epoch, token: token), of: .service, at: store.place)
        held.withLock { $0 = lease }
        return .taken
    }

    package func release() {
        held.withLock { held in
            held?.release()
            held = nil
        }
    }
}
