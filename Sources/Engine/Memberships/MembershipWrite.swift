import CampaignModel
import FCMWire
import RunControl
import State
import Time

/// A change of the state that a membership change makes.
enum MembershipWrite: Hashable, Sendable {
    /// Members that need no request, and joining members before their request.
    case begin(SortedMembers)
    case finish([MembershipResult])
    /// The transport that the next runs start with.
    case remember(MembershipTransport)
}

extension MembershipExecutor {
    /// Returns when it is durable.
    func perform(
        _ write: MembershipWrite,
        direction: MembershipMachine.Direction,
        in scope: MembershipScope
    ) async throws(StateStoreError) {
        switch write {
        case .begin(let sorted):
            try await book.record(sorted.external, as: .external, in: scope)
            try await book.record(sorted.optedOut, as: .optedOut, in: scope)
            try await book.beginJoin(sorted.ours, in: scope)
        case .finish(let results):
            switch direction {
            case .add: try await book.finishJoin(results, in: scope, at: settings.clock.now())
            case .remove: try await book.finishLeave(results.filter(\.hasLeft), in: scope)
            }
        case .remember(let transport): try await book.remember(transport)
        }
    }
}
