package import Inbox
import State

/// Stores single messages of many callers, with one commit for all that wait.
///
/// An actor, because its callers share the commits.
package actor InboxWriter {
    package enum Answer: Hashable, Sendable {
        case durable(InboxResult)
        case notStored
        case overloaded
    }

    private let inbox: any InboxStore
    private let report: UpstreamListener.Report
    private var batcher = InboxBatcher<CheckedContinuation<Answer, Never>>()

    package init(of inbox: any InboxStore, report: @escaping UpstreamListener.Report) {
        self.inbox = inbox
        self.report = report
    }

    /// Returns after the commit.
    package func store(_ message: UpstreamMessage) async -> Answer {
        await withCheckedContinuation { waiter in
            perform(batcher.receive(.arrived(message, waiter)))
        }
    }

    /// The number of messages that are not answered.
    package var openCount: Int { batcher.openCount }

    private func perform(
        _ commands: [InboxBatcher<CheckedContinuation<Answer, Never>>.Command]
    ) {
        for command in commands {
            switch command {
            case .commit(let messages): Task { await commit(messages) }
            case .acknowledge(let waiter, let result): waiter.resume(returning: .durable(result))
            case .refuse(let waiter, .notStored): waiter.resume(returning: .notStored)
            case .refuse(let waiter, .overloaded): waiter.resume(returning: .overloaded)
            case .finish: break
            }
        }
    }

    private func commit(_ messages: [UpstreamMessage]) async {
        do throws(StateStoreError) {
            let results = try await inbox.store(messages)
            report(.stored(StoredCounts(results), over: .http))
            perform(batcher.receive(.committed(results)))
        } catch {
            report(.storeFailure(error))
            perform(batcher.receive(.failed))
        }
    }
}
