import CampaignLoading
import CampaignModel
import Inbox
import Planning
import PostgresStore
import Presentation
import SQLiteStore
import State
import StoreTables
import SystemIO

/// The messages of devices on which no run has acted.
struct UpstreamView {
    let pending: PendingUpstream
    /// The audiences of the registrations that rules subscribe.
    let audiences: [Audience]

    static let none = UpstreamView(pending: .none, audiences: [])
}

extension Session {
    /// Reads the inbox of a state, and the registrations that messages subscribed.
    func upstream(
        of store: any TableStore,
        rules: [UpstreamRule]
    ) async throws(CommandFailure) -> UpstreamView {
        guard !rules.isEmpty else { return .none }
        return try await mapStateErrors { () async throws(StateStoreError) in
            let pending = try await store.pendingUpstream(for: rules)
            let subscribing = rules.filter { !$0.actions.subscribe.isEmpty }
            guard !subscribing.isEmpty else {
                return UpstreamView(pending: pending, audiences: [])
            }
            let standing = try await store.upstreamStanding(of: subscribing.map(\.id))
                .applying(pending.changes)
            let audiences = subscribing.compactMap { $0.audience(with: standing.members[$0.id]) }
            return UpstreamView(pending: pending, audiences: audiences)
        }
    }
}

extension UpstreamRule {
    /// Nil if there is no member.
    fileprivate func audience(with members: [Fingerprint: Registration]?) -> Audience? {
        guard let audience, let members, !members.isEmpty else { return nil }
        let registrations = members.sorted { $0.key < $1.key }.map(\.value)
        return Audience(
            id: audience,
            about: about,
            list: .inline(registrations),
            subscribe: actions.subscribe
        )
    }
}

extension TableStore {
    /// Returns what waiting messages change; nothing if this process may not read messages.
    ///
    /// The database role of plans may not.
    nonisolated fileprivate func pendingUpstream(
        for rules: [UpstreamRule]
    ) async throws(StateStoreError) -> PendingUpstream {
        do throws(StateStoreError) {
            guard let inbox = try await openInbox(creates: false) else { return .none }
            let position = try await upstreamPosition()
            let reader = InboxReader(
                inbox,
                rules: rules,
                replying: try await replying(among: rules)
            )
            return try await reader.pending(after: position)
        } catch {
            if case .server(_, .lacksPrivilege) = error { return .none }
            throw error
        }
    }

    /// Opens the inbox of this state.
    ///
    /// `creates`: whether to create a missing one; otherwise nil is returned.
    nonisolated func openInbox(creates: Bool) async throws(StateStoreError) -> (any InboxStore)? {
        if let store = self as? SQLiteStore {
            return try await SQLiteInbox.open(of: store, creates: creates)
        }
        if let store = self as? PostgresStore { return try await PostgresInbox(of: store) }
        return nil
    }

    /// Appends messages to the files of rules, and returns the number of lines for each file that got any.
    ///
    /// `folder`: it has to exist.
    nonisolated func appendMessages(
        of rules: [UpstreamRule],
        to folder: String
    ) async throws(CommandFailure) -> [String: Int] {
        guard FileStatus(folder, followsLink: true)?.isFolder == true else {
            throw CommandFailure(
                .unwritableOutput(folder, because: "it is not a directory"),
                exit: .usage
            )
        }
        let opened = try await mapStateErrors { () async throws(StateStoreError) in
            try await openInbox(creates: false)
        }
        guard let inbox = opened else { return [:] }
        do throws(UpstreamAppendError) {
            return try await UpstreamAppender(from: inbox, rules: rules, to: folder).append()
        } catch {
            switch error {
            case .state(let error): throw CommandFailure(error)
            case .file(let path, let error):
                throw CommandFailure(.unwritableOutput(path, because: error.reason))
            case .foreignFile(let path):
                throw CommandFailure(
                    .unwritableOutput(path, because: "its last line is not that of a message")
                )
            }
        }
    }

    /// Records what the messages of devices change, up to the last one that was read; the caller holds
    /// the lock.
    ///
    /// `position`: the last message; nil for all of them.
    nonisolated func absorbUpstream(
        by rules: [UpstreamRule],
        upTo position: InboxPosition?
    ) async throws(StateStoreError) {
        guard let inbox = try await openInbox(creates: false) else { return }
        let reader = InboxReader(inbox, rules: rules, replying: try await replying(among: rules))
        try await reader.absorb(into: self, upTo: position)
    }

    /// Returns the rules that reply, with the text that an apply has recorded.
    nonisolated private func replying(
        among rules: [UpstreamRule]
    ) async throws(StateStoreError) -> [UpstreamRule] {
        let names = rules.filter { $0.actions.reply != nil }.compactMap(\.replies)
        guard !names.isEmpty else { return [] }
        let definitions = try await definitions(of: Set(names))
        return names.compactMap { name in
            definitions[name].flatMap { UpstreamRule(replyDefinition: $0.content) }
        }
    }
}
