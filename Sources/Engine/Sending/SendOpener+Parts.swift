import CampaignModel
import Planning
import RegistrationLists
import RunControl
import State

/// Parts of lists, which become separate lists.
extension SendOpener {
    /// Copies rows of a list, and their people if caps or an experiment count them; returns the ID of
    /// the new list.
    ///
    /// A list that was read in this run is stored first. The copies are dropped with the run, unless
    /// an occurrence is opened with them.
    func store(_ part: ListPart, countsPeople: Bool) async throws(ApplyError) -> ListID {
        if let content = part.content { try await store(content, as: part.list) }
        let shape = try await mapLedgerErrors { () async throws(StateStoreError) in
            try await lists.shape(of: part.list)
        }
        let draft = ledger.draftList(shape)
        var hasher = PartHasher(
            kind: shape.kind,
            columns: shape.columns,
            fingerprinter: fingerprinter
        )
        var rest = part.rows[...]
        var rows: [RegistrationRow] = []
        func append() {
            draft.append([PackedRows(rows, columns: shape.columns.count)])
            rows = []
        }
        while let first = rest.first {
            let page = try await mapLedgerErrors { () async throws(StateStoreError) in
                try await lists.rows(of: part.list, from: first, count: PackedRows.maximumCount)
            }
            let numbers = rest.prefix { $0 < first + page.count }
            guard !numbers.isEmpty else {
                throw .state(.damaged(path: "", reason: "a stored list is too short"))
            }
            rest = rest.dropFirst(numbers.count)
            for number in numbers {
                let row = page[number - first]
                hasher.add(row)
                rows.append(row)
                if rows.count == PackedRows.maximumCount { append() }
            }
        }
        if !rows.isEmpty { append() }
        let id = hasher.id
        try await mapLedgerErrors { () async throws(StateStoreError) in
            if try await !ledger.keepStoredList(id) { try await draft.keep(as: id) }
            if countsPeople { try await keepPeople(of: part, as: id) }
        }
        return id
    }

    private func keepPeople(of part: ListPart, as id: ListID) async throws(StateStoreError) {
        let whole = PeopleName(of: part.list, columns: part.columns)
        var found = people.people(of: whole)
        if found == nil, let record = try await lists.people(of: whole) {
            found = try await lists.people(record)
        }
        guard let found, part.rows.last.map({ $0 < found.count }) ?? true else { return }
        _ = try await lists.keepPeople(
            found.only(part.rows),
            of: PeopleName(of: id, columns: part.columns)
        )
    }
}
