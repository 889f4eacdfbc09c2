package import CampaignModel
package import RegistrationLists
package import State

/// The rows of a list that one occurrence addresses.
///
/// They become a separate list when the occurrence begins.
package struct ListPart: Hashable, Sendable {
    /// The whole list; nil if the state contains it.
    package let content: ListContent?
    /// The ID of the whole list.
    package let list: ListID
    /// The numbers of the rows, in ascending order.
    package let rows: [Int]
    /// The columns of the list's people.
    package let columns: PeopleColumns
}

extension ListPeople {
    /// Returns the people of some rows.
    package func only(_ rows: [Int]) -> ListPeople {
        ListPeople(
            registrations: rows.map { registrations[$0] },
            identities: identities.map { identities in rows.map { identities[$0] } },
            zones: zones,
            zoneNumbers: zoneNumbers.map { numbers in rows.map { numbers[$0] } }
        )
    }
}
