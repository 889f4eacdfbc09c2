/// A list that is composed of other lists.
package struct ListSet: Hashable, Sendable {
    package enum Operation: String, Hashable, Sendable, CaseIterable {
        /// The rows of every list; a row that several lists have is taken from the first.
        case union
        /// The rows that are in every list or, by identity, those of the people who are.
        case allOf = "all_of"
    }

    /// What makes rows of two lists equal.
    package enum Basis: Hashable, Sendable {
        case registration
        /// The columns of the lists that identify a person, without repetitions.
        case identity(columns: [String])
    }

    /// One of the lists.
    package struct Part: Hashable, Sendable {
        /// The name of its `audience:` document; nil for the list of the document or campaign
        /// itself.
        package let audience: AudienceID?
        package let list: RegistrationList

        package init(_ audience: AudienceID? = nil, list: RegistrationList) {
            self.audience = audience
            self.list = list
        }
    }

    package let operation: Operation
    /// At least one.
    package let parts: [Part]
    /// The lists whose rows are left out.
    package let excluded: [Part]

    package init(_ operation: Operation = .union, of parts: [Part], except excluded: [Part] = []) {
        self.operation = operation
        self.parts = parts
        self.excluded = excluded
    }

    /// Rows are compared by identity if every list has an identity column.
    package var basis: Basis {
        let columns = (parts + excluded).map(\.list.identityColumns)
        let known = columns.compactMap(\.self)
        return known.count == columns.count
            ? .identity(columns: known.flatMap(\.self).withoutRepetitions) : .registration
    }

    /// The maximum number of lists, and of sets in each other.
    package static let mostLists = 100
    package static let deepestNesting = 8
}

extension RegistrationList {
    /// The columns that identify a person; nil if not every row has one.
    package var identityColumns: [String]? {
        switch self {
        case .file, .inline: return nil
        case .described(let file): return file.identity.map { [$0] }
        case .set(let set):
            let columns = set.parts.compactMap(\.list.identityColumns)
            return columns.count == set.parts.count
                ? columns.flatMap(\.self).withoutRepetitions : nil
        }
    }

    /// The audiences whose lists a set combines, at every depth; an audience may be repeated.
    package var combinedAudiences: [AudienceID] {
        guard case .set(let set) = self else { return [] }
        return set.parts.flatMap { part in
            (part.audience.map { [$0] } ?? []) + part.list.combinedAudiences
        }
    }

    /// Whether it is a set whose first part is the list of an audience.
    package func begins(with audience: AudienceID) -> Bool {
        guard case .set(let set) = self else { return false }
        return set.parts.first?.audience == audience
    }

    /// The list itself, without what its document or campaign leaves out.
    package var withoutExclusions: RegistrationList {
        guard case .set(let set) = self, set.parts.count == 1, let only = set.parts.first,
            only.audience == nil
        else { return self }
        return only.list.withoutExclusions
    }

    /// The lists of a set, at every depth and with repetitions, then the list itself.
    package var withParts: [RegistrationList] {
        guard case .set(let set) = self else { return [self] }
        return (set.parts + set.excluded).flatMap(\.list.withParts) + [self]
    }

    /// The lists that are not sets, with repetitions.
    package var leaves: [RegistrationList] {
        guard case .set(let set) = self else { return [self] }
        return (set.parts + set.excluded).flatMap(\.list.leaves)
    }

    /// The sources whose outputs are the list or lists of the set, each once.
    package var sources: [ListSourceID] {
        var seen: Set<ListSourceID> = []
        return leaves.compactMap(\.source).filter { seen.insert($0).inserted }
    }

    /// The lists whose contents a reviewer approves: the list itself and, of a set that contains the
    /// output of a source, the lists that it combines.
    package var reviewedLists: [RegistrationList] {
        guard case .set(let set) = self, !sources.isEmpty else { return [self] }
        return [self] + set.parts.flatMap(\.list.reviewedLists)
    }

    /// The number of sets in each other; 0 for another list.
    package var nesting: Int {
        guard case .set(let set) = self else { return 0 }
        return 1 + ((set.parts + set.excluded).map(\.list.nesting).max() ?? 0)
    }

    /// When it is read.
    package var reading: RegistrationFile.Reading { isReadAtSend ? .atSend : .atApply }

    /// Whether it is read only when its send begins.
    package var isReadAtSend: Bool {
        switch self {
        case .file, .inline: false
        case .described(let file): file.reading == .atSend
        case .set(let set): (set.parts + set.excluded).contains(where: \.list.isReadAtSend)
        }
    }

    /// Whether a column contains the recipients' public keys.
    package var hasPublicKeys: Bool {
        switch self {
        case .file, .inline: false
        case .described(let file): file.publicKey != nil
        case .set(let set): set.parts.contains(where: \.list.hasPublicKeys)
        }
    }
}

extension [String] {
    fileprivate var withoutRepetitions: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
