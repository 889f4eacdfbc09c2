package import CampaignModel
package import State
package import Time

/// Stores the messages of devices until a run has acted on them, and their IDs for longer.
///
/// Messages are identified by sender, registration and message ID. Every writing call is one commit,
/// which is durable when the call returns.
package protocol InboxStore: Sendable {
    /// Stores messages in one commit.
    ///
    /// - Returns: One result per message, in the order of the messages.
    /// - Throws: If the commit is not known to be durable; then no message may be acknowledged.
    ///   Storing the same messages again is safe.
    func store(
        _ messages: [UpstreamMessage]
    ) async throws(StateStoreError) -> [InboxResult]

    /// The messages after a position, the oldest first, or from the first one that is stored; fewer than
    /// `limit` only at the end.
    func messages(
        after position: InboxPosition?,
        limit: Int
    ) async throws(StateStoreError) -> [InboxMessage]

    /// Notes that a run has recorded the effects of all messages up to a position, so that they may
    /// be removed later.
    func confirm(upTo position: InboxPosition) async throws(StateStoreError)

    /// The number of the last message of this inbox for which `confirm` was called; 0 before that.
    func confirmed() async throws(StateStoreError) -> Int64

    /// Removes messages that arrived before a time, unless no run has acted on them.
    ///
    /// - Returns: The number of removed messages.
    func removeMessages(before time: Instant) async throws(StateStoreError) -> Int

    func summary() async throws(StateStoreError) -> InboxSummary
}

/// What happened to a message; each of them may be acknowledged.
package enum InboxResult: Hashable, Sendable {
    case stored
    /// The same message was stored before; no run acts on it again.
    case duplicate
    /// A message with the same sender, registration and ID but other content was stored before; this one
    /// is counted and not stored.
    case conflictingContent
}

/// A stored message.
package struct InboxMessage: Hashable, Sendable {
    package let position: InboxPosition
    package let fingerprint: Fingerprint
    package let message: UpstreamMessage

    package init(position: InboxPosition, fingerprint: Fingerprint, message: UpstreamMessage) {
        self.position = position
        self.fingerprint = fingerprint
        self.message = message
    }
}

package struct InboxSummary: Hashable, Sendable {
    /// Identifies the inbox.
    package let inbox: String
    /// The number of stored messages.
    package let stored: Int
    /// The number of stored messages on which no run has acted.
    package let waiting: Int
    /// The number of messages that had the ID of another one.
    package let conflicts: Int

    package init(inbox: String, stored: Int, waiting: Int, conflicts: Int) {
        self.inbox = inbox
        self.stored = stored
        self.waiting = waiting
        self.conflicts = conflicts
    }
}
