/// The columns of a list that tell who its people are and in which time zones they live.
package struct PeopleColumns: Hashable, Sendable {
    /// Nil if every registration is a person.
    package let identity: String?
    package let timeZone: String?

    package init(identity: String? = nil, timeZone: String? = nil) {
        self.identity = identity
        self.timeZone = timeZone
    }
}

extension RegistrationList {
    /// A set has the columns of its lists, joined by commas.
    package var peopleColumns: PeopleColumns {
        switch self {
        case .file, .inline: return PeopleColumns()
        case .described(let file):
            return PeopleColumns(identity: file.identity, timeZone: file.timeZone)
        case .set(let set):
            let zones = set.parts.compactMap(\.list.peopleColumns.timeZone)
            return PeopleColumns(
                identity: identityColumns?.joined(separator: ","),
                timeZone: zones.isEmpty ? nil : zones.joined(separator: ",")
            )
        }
    }
}
