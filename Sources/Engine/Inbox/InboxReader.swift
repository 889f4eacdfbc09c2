package import CampaignModel
package import State

/// Reads the messages of an inbox on which no run has acted.
package struct InboxReader: Sendable {
    private let inbox: any InboxStore
    private let rules: [UpstreamRule]
    /// The rules in their applied form, with the replies that were reviewed.
    private let replying: [UpstreamRule]

    /// Messages that are read at once.
    private static let pageSize = 4_096

    /// `replying`: the rules whose replies are in force; replies of `rules` are ignored.
    package init(
        _ inbox: any InboxStore,
        rules: [UpstreamRule],
        replying: [UpstreamRule] = []
    ) {
        self.inbox = inbox
        self.rules = rules
        self.replying = replying
    }

    /// Returns what the messages after a position change, in their order.
    package func pending(
        after position: InboxPosition?
    ) async throws(StateStoreError) -> PendingUpstream {
        var changes: [UpstreamChange] = []
        var last = position
        var count = 0
        let answered = try await answered()
        while true {
            let page = try await inbox.messages(after: last, limit: Self.pageSize)
            changes += self.changes(by: page, answered: answered)
            count += page.count
            last = page.last?.position ?? last
            guard page.count == Self.pageSize else { break }
        }
        return PendingUpstream(changes: changes, position: count == 0 ? nil : last)
    }

    /// Records what messages change, and notes it in the inbox; the caller holds the lock of the state.
    ///
    /// The state records the position with the changes, so that each message is acted on once, even if
    /// the inbox does not get the note.
    ///
    /// `end`: the last message; nil for all of them.
    package func absorb(
        into book: any UpstreamBook,
        upTo end: InboxPosition? = nil
    ) async throws(StateStoreError) {
        var last = try await book.upstreamPosition()
        let answered = try await answered()
        while true {
            let page = try await inbox.messages(after: last, limit: Self.pageSize)
            let messages = page.filter { end.map($0.position.isUp(to:)) ?? true }
            if let position = messages.last?.position {
                try await book.record(
                    changes(by: messages, answered: answered),
                    upTo: position
                )
                try await inbox.confirm(upTo: position)
                last = position
            }
            guard messages.count == Self.pageSize else { return }
        }
    }

    /// `answered`: messages up to this number get no reply.
    private func changes(by messages: [InboxMessage], answered: Int64) -> [UpstreamChange] {
        let later = messages.filter { $0.position.number > answered }
        return messages.flatMap { rules.changes(by: $0) }
            + replying.replies(to: later).map(UpstreamChange.reply)
    }

    /// The number of the last message that a run has acted on, as the inbox noted it.
    ///
    /// A state that was lost or restored does not have all positions. Its runs repeat the other changes, which
    /// does not matter, and never a reply.
    private func answered() async throws(StateStoreError) -> Int64 {
        replying.isEmpty ? 0 : try await inbox.confirmed()
    }
}

/// What messages change that the state does not record yet.
package struct PendingUpstream: Hashable, Sendable {
    package let changes: [UpstreamChange]
    /// The last of the messages; nil if there is none.
    package let position: InboxPosition?

    package static let none = PendingUpstream(changes: [], position: nil)

    package init(changes: [UpstreamChange], position: InboxPosition?) {
        self.changes = changes
        self.position = position
    }
}

extension InboxPosition {
    /// Whether the position is not after another one of the same inbox.
    fileprivate func isUp(to end: InboxPosition) -> Bool {
        inbox == end.inbox && number <= end.number
    }
}
