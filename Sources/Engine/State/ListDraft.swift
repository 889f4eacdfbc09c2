package import CampaignModel

/// A list that is stored, but does not belong to the state yet.
///
/// It can be written without the writer's lock. If it is not kept, it disappears with the last
/// reference to it, with the process, or at the end of a run.
package protocol ListDraft: RowKeeper {
    /// Makes the list durable and part of the state, for an occurrence that is opened next.
    ///
    /// If the state has an equal list that an occurrence in progress reads, that one is kept
    /// instead.
    ///
    /// - Throws: Also a problem of an earlier `append`.
    func keep(as list: ListID) async throws(StateStoreError)
}
