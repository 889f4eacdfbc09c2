import CampaignModel
import FCMWire
import RunControl
import State
import Time

/// What a membership change records at once.
///
/// Verdicts and new members share a commit, because each commit waits for the disk. The transport, which
/// seldom changes, has its own.
struct MembershipWrite: Hashable, Sendable {
    var verdicts: [MembershipResult] = []
    /// Members that need no request, and joining members before their request.
    var beginning: SortedMembers?
    /// The transport that the next runs start with.
    var transport: MembershipTransport?

    var isEmpty: Bool { self == MembershipWrite() }
}

extension MembershipExecutor {
    /// Returns when it is durable.
    func perform(
        _ write: MembershipWrite,
        direction: MembershipMachine.Direction,
        in scope: MembershipScope
    ) async throws(StateStoreError) {
        if let transport = write.transport { try await book.remember(transport) }
        switch direction {
        case .add:
            let step = MembershipStep(
                results: write.verdicts,
                at: settings.clock.now(),
                members: write.beginning?.byStatus ?? [:]
            )
            try await book.record(step, in: scope)
        case .remove:
            try await book.finishLeave(write.verdicts.filter(\.hasLeft), in: scope)
        }
    }
}

extension SortedMembers {
    fileprivate var byStatus: [MembershipStatus: [Member]] {
        [.joining: ours, .external: external, .optedOut: optedOut]
    }
}
