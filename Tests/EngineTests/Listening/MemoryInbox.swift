import CampaignModel
import Inbox
import State
import Time

/// An inbox in memory, which fails on request.
actor MemoryInbox: InboxStore {
    private struct Key: Hashable {
        let registration: Registration
        let id: String
    }

    private var content: [Key: UpstreamMessage] = [:]
    private(set) var commits = 0
    private var failures: Int

    /// `failures`: the number of commits that fail first.
    init(failures: Int = 0) {
        self.failures = failures
    }

    var ids: [String] { content.keys.map(\.id).sorted() }

    func store(
        _ messages: [UpstreamMessage]
    ) async throws(StateStoreError) -> [InboxResult] {
        commits += 1
        guard failures == 0 else {
            failures -= 1
            throw .diskFull(path: "inbox")
        }
        return messages.map { message in
            let key = Key(registration: message.registration, id: message.id)
            guard let known = content[key] else {
                content[key] = message
                return .stored
            }
            let isSame = known.data == message.data && known.category == message.category
            return isSame ? .duplicate : .conflictingContent
        }
    }

    func messages(
        after position: InboxPosition?,
        limit: Int
    ) async throws(StateStoreError) -> [InboxMessage] { [] }

    func confirm(upTo position: InboxPosition) async throws(StateStoreError) {}

    func confirmed() async throws(StateStoreError) -> Int64 { 0 }

    func removeMessages(before time: Instant) async throws(StateStoreError) -> Int { 0 }

    func summary() async throws(StateStoreError) -> InboxSummary {
        InboxSummary(inbox: "memory", stored: content.count, waiting: 0, conflicts: 0)
    }
}
