package import CampaignModel
package import SystemIO
package import Time

/// The surveys of all lists of a project; each list is read once.
package struct ListSurveys: Sendable {
    package typealias Survey = Result<ListSurvey, RegistrationListError>

    private let surveys: [RegistrationList: Survey]

    /// Reads each list once.
    ///
    /// `messages`: the columns of the messages to each list. `bounds`: the directories that may
    /// contain the files; nil allows all. `zones`: knows the time zones of rows; nil accepts all
    /// names. `keeping`: returns what gets the rows of a message, if anything does.
    package init(
        of lists: some Sequence<RegistrationList>,
        messages: [RegistrationList: [MessageColumns]] = [:],
        directory: any ListPlaces,
        fingerprinter: Fingerprinter,
        bounds: FolderBounds? = nil,
        zones: TimeZoneDatabase? = nil,
        keeping: (ListContent) -> (any RowKeeper)? = { _ in nil }
    ) {
        var surveys: [RegistrationList: Survey] = [:]
        for list in lists where surveys[list] == nil {
            surveys[list] = Result { () throws(RegistrationListError) in
                try Self.refuse(list, in: directory, outside: bounds)
                return try ListSurvey(
                    list,
                    messages: messages[list] ?? [],
                    directory: directory,
                    fingerprinter: fingerprinter,
                    zones: zones,
                    keeping: keeping
                )
            }
        }
        self.surveys = surveys
    }

    private static func refuse(
        _ list: RegistrationList,
        in directory: any ListPlaces,
        outside bounds: FolderBounds?
    ) throws(RegistrationListError) {
        guard let bounds else { return }
        for leaf in list.leaves { try refuse(leaf: leaf, in: directory, outside: bounds) }
    }

    private static func refuse(
        leaf list: RegistrationList,
        in directory: any ListPlaces,
        outside bounds: FolderBounds
    ) throws(RegistrationListError) {
        guard let path = list.path, let place = list.place(in: directory.listDirectory)
        else { return }
        // A directory outside of the bounds is not listed.
        guard bounds.contain(place) else { throw .unreadable(path: path, reason: .outside) }
        for file in try ListFiles(of: list, in: directory).all
        where !bounds.contain(file.fullPath) {
            throw .unreadable(path: file.path, reason: .outside)
        }
    }

    package subscript(list: RegistrationList) -> Survey? { surveys[list] }
}

extension Project {
    /// Every list that a campaign or an audience names, and the lists of sets before the sets.
    package var lists: [RegistrationList] {
        let named = campaigns.compactMap { campaign -> RegistrationList? in
            guard case .registrations(let list) = campaign.target else { return nil }
            return list
        }
        var seen: Set<RegistrationList> = []
        return (audiences.map(\.list) + named).flatMap(\.withParts)
            .filter { seen.insert($0).inserted }
    }

    /// The lists whose content a plan needs.
    ///
    /// A list that is read when its send begins is one of them only if it is kept subscribed.
    package var plannedLists: [RegistrationList] {
        let subscribed = audiences.filter { $0.subscribe != nil }.flatMap(\.list.withParts)
        return lists.filter { !$0.isReadAtSend || subscribed.contains($0) }
    }
}
