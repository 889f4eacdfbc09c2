import State

/// Finds the person of a registration.
struct MemberTable: Sendable {
    private let registrations: PeopleTable
    /// The person of each different registration.
    private let persons: [UInt32]

    /// `table`: the people of the list.
    init(_ people: ListPeople, table: PeopleTable) {
        guard people.identities != nil else {
            registrations = table
            persons = (0..<UInt32(truncatingIfNeeded: table.count)).map(\.self)
            return
        }
        registrations = PeopleTable(people.registrations)
        var persons: [UInt32] = []
        persons.reserveCapacity(registrations.count)
        for (number, person) in zip(registrations.rows, table.rows)
        where number != PeopleTable.none && Int(number) == persons.count {
            persons.append(person)
        }
        self.persons = persons
    }

    /// Returns the person of a registration; `PeopleTable.none` if the list does not contain it.
    func person(of registration: UInt64) -> UInt32 {
        let number = registrations.number(of: registration)
        return number == PeopleTable.none ? number : persons[Int(number)]
    }
}
