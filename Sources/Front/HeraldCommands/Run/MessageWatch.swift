import CampaignModel
import Inbox
import Planning
import State
import StoreTables

/// Finds messages of devices on which no run has acted and that may need a reply.
///
/// An actor: it keeps the inbox open between looks.
actor MessageWatch {
    private var inbox: (any InboxStore)?

    /// Cheap; false if no rule replies.
    func mayNeedReply(in target: AppliedTarget) async throws(StateStoreError) -> Bool {
        guard target.applied.upstream.contains(where: { $0.actions.reply != nil }),
            let store = target.store as? any TableStore
        else { return false }
        do throws(StateStoreError) {
            if inbox == nil { inbox = try await store.openInbox(creates: false) }
            guard let inbox else { return false }
            let position = try await store.upstreamPosition()
            return try await !inbox.messages(after: position, limit: 1).isEmpty
        } catch {
            // Another file may be in its place.
            inbox = nil
            throw error
        }
    }
}
