package import CampaignModel

/// The surveys of all lists of a project; each list is read once.
package struct ListSurveys: Sendable {
    package typealias Survey = Result<ListSurvey, RegistrationListError>

    private let surveys: [RegistrationList: Survey]

    package init(
        of lists: some Sequence<RegistrationList>,
        directory: String,
        fingerprinter: Fingerprinter
    ) {
        var surveys: [RegistrationList: Survey] = [:]
        for list in lists where surveys[list] == nil {
            surveys[list] = Result { () throws(RegistrationListError) in
                try ListSurvey(list, directory: directory, fingerprinter: fingerprinter)
            }
        }
        self.surveys = surveys
    }

    package subscript(list: RegistrationList) -> Survey? { surveys[list] }
}

extension Project {
    /// Every list that a campaign or an audience names.
    package var lists: [RegistrationList] {
        let named = campaigns.compactMap { campaign -> RegistrationList? in
            guard case .registrations(let list) = campaign.target else { return nil }
            return list
        }
        return audiences.map(\.list) + named
    }
}
