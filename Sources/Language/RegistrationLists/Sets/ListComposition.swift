package import CampaignModel

/// How many rows of the lists of a set are in it.
///
/// The rows of all parts, without those that are unmatched, repeated and left out, are the rows of
/// the set.
package struct ListComposition: Hashable, Sendable {
    package struct Part: Hashable, Sendable {
        /// The name of the audience or the path of the list; nil for a list in the YAML.
        package let name: String?
        /// The number of its rows.
        package let count: Int
        /// Identifies its registrations and, if rows are compared by it, their identity.
        package let id: ListID
        /// That of a set.
        package let composition: ListComposition?

        package init(
            name: String?,
            count: Int,
            id: ListID,
            composition: ListComposition? = nil
        ) {
            self.name = name
            self.count = count
            self.id = id
            self.composition = composition
        }
    }

    /// The rows of the parts that are not in the set, by the first reason that applies.
    package struct Dropped: Hashable, Sendable {
        /// Rows that, of an `all_of`, are not in every part.
        package internal(set) var unmatched = 0
        /// Rows that an earlier part has.
        package internal(set) var repeated = 0
        /// Rows that an excluded list has.
        package internal(set) var excluded = 0

        package init(unmatched: Int = 0, repeated: Int = 0, excluded: Int = 0) {
            self.unmatched = unmatched
            self.repeated = repeated
            self.excluded = excluded
        }
    }

    package let operation: ListSet.Operation
    package let basis: ListSet.Basis
    package let parts: [Part]
    package let excluded: [Part]
    package let dropped: Dropped
    /// The number of people in the set; nil if it is unknown.
    package let people: Int?

    package init(
        _ set: ListSet,
        parts: [Part],
        excluded: [Part],
        dropped: Dropped,
        people: Int? = nil
    ) {
        operation = set.operation
        basis = set.basis
        self.parts = parts
        self.excluded = excluded
        self.dropped = dropped
        self.people = people
    }

    private init(_ composition: ListComposition, people: Int?) {
        operation = composition.operation
        basis = composition.basis
        parts = composition.parts
        excluded = composition.excluded
        dropped = composition.dropped
        self.people = people
    }

    func counting(_ people: Int?) -> ListComposition {
        ListComposition(self, people: people)
    }

    /// The number of rows before `except`.
    package var combinedCount: Int {
        parts.reduce(0) { $0 + $1.count } - dropped.unmatched - dropped.repeated
    }

    /// The number of rows of the set.
    package var count: Int { combinedCount - dropped.excluded }
}

extension ListSet.Part {
    /// The name of the audience or the path of the list; nil for a list in the YAML.
    package var name: String? { audience?.rawValue ?? list.path }
}
