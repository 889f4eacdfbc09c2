package import CampaignModel
package import RegistrationLists

/// Reads a list with `read: at_send` when the send to it begins.
package protocol ListAtSendReader: Sendable {
    /// Reads the list to its end and checks its rows.
    func read(_ content: ListContent) async throws(ListAtSendError) -> ListAtSendContent
}

/// What a list contained when it was read, and its places, from which the same rows are stored.
package struct ListAtSendContent: Sendable {
    package let survey: ListSurvey
    package let places: any ListPlaces

    package init(survey: ListSurvey, places: any ListPlaces) {
        self.survey = survey
        self.places = places
    }
}

/// Why a list could not be read when the send to it began.
package enum ListAtSendError: Error, Hashable, Sendable {
    case list(RegistrationListError)
    /// The source did not write its list completely.
    case source(ListSourceID, reason: String)
    case interrupted
}
