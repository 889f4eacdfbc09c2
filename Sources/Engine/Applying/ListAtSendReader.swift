package import CampaignModel
package import RegistrationLists
package import RunControl

/// Reads a list with `read: at_send` when the send to it begins.
package protocol ListAtSendReader: Sendable {
    /// Reads the list once, to its end, and checks its rows.
    ///
    /// `drafts`: gets the rows, so that what is sent is what was checked.
    func read(
        _ content: ListContent,
        into drafts: ListDrafts
    ) async throws(ListAtSendError) -> ListSurvey
}

/// Why a list could not be read when the send to it began.
package enum ListAtSendError: Error, Hashable, Sendable {
    case list(RegistrationListError)
    /// The source did not write its list completely.
    case source(ListSourceID, reason: String)
    case interrupted
}
