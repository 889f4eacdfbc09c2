package import CampaignModel
package import RegistrationLists
package import State
import Synchronization

/// The lists that a run may send to, which are stored while they are checked.
package final class ListDrafts: Sendable {
    private let ledger: any Ledger
    private let contents: Set<ListContent>
    private let drafts = Mutex<[ListContent: any ListDraft]>([:])

    /// `contents`: the lists that are stored, with the columns that their messages use.
    package init(of contents: Set<ListContent>, in ledger: any Ledger) {
        self.contents = contents
        self.ledger = ledger
    }

    /// Begins to store a list; returns nil if no message is sent to it.
    ///
    /// If it was begun before, that part is dropped.
    package func begin(_ content: ListContent) -> (any RowKeeper)? {
        guard contents.contains(content) else { return nil }
        let draft = ledger.draftList(ListShape(of: content))
        drafts.withLock { $0[content] = draft }
        return draft
    }

    /// Drops the lists that were not taken.
    package func drop() {
        drafts.withLock { $0 = [:] }
    }

    /// Returns a list that was read to its end; nil if it was not stored, or was taken before.
    package func take(_ content: ListContent) -> (any ListDraft)? {
        drafts.withLock { $0.removeValue(forKey: content) }
    }
}

extension ListShape {
    /// The shape of a list with the columns that a message uses.
    package init(of content: ListContent) {
        self.init(content.list.kind, columns: content.names)
    }
}
