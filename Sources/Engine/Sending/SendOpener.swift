import CampaignMessages
package import CampaignModel
package import Planning
package import RegistrationLists
package import RunControl
package import State
package import Time

/// Opens the record of an occurrence before its first request.
package struct SendOpener {
    let ledger: any Ledger
    /// The stored lists, and their people.
    let lists: any StateReader & ContactBook
    /// The places of the project's lists.
    let directory: any ListPlaces
    let fingerprinter: Fingerprinter
    /// The lists that were stored while they were checked; the others are read again.
    let drafts: ListDrafts?
    /// The people of the lists that were read.
    let people: PlannedPeople

    package init(
        ledger: any Ledger,
        lists: any StateReader & ContactBook,
        directory: any ListPlaces,
        fingerprinter: Fingerprinter,
        drafts: ListDrafts? = nil,
        people: PlannedPeople = .none
    ) {
        self.ledger = ledger
        self.lists = lists
        self.directory = directory
        self.fingerprinter = fingerprinter
        self.drafts = drafts
        self.people = people
    }

    /// Creates the work unit; a list is stored first and must be the planned one.
    package func open(
        _ send: SendStep,
        due: Instant,
        in run: RunID
    ) async throws(ApplyError) -> WorkUnitRecord {
        let target: UnitTarget
        switch send.target {
        case .topic(let topic): target = .topic(topic)
        case .condition(let text): target = .condition(text)
        case .group(let name): target = .group(name)
        case .stored(let id, _): target = .registrations(id)
        case .part(let part, _):
            target = .registrations(
                try await store(
                    part,
                    countsPeople: send.caps != nil || send.experiment != nil
                )
            )
        case .listAtSend:
            preconditionFailure("a list is read before its occurrence is opened")
        case .list(let content, let id, _):
            try await store(content, as: id)
            target = .registrations(id)
        }
        return try await mapLedgerErrors { () async throws(StateStoreError) in
            try await ledger.open(
                OpenedOccurrence(
                    id: send.occurrence,
                    due: due,
                    message: send.template.stored,
                    target: target,
                    count: send.remaining + send.skipped.count,
                    deduplicationKey: send.deduplicationKey?.text,
                    keepsIDs: send.keepsIDs,
                    objective: send.policy.objective,
                    rollout: send.rollout.map { RolloutRecord($0.rollout, since: due) },
                    keptUntil: send.listKept(from: due)
                ),
                in: run
            )
        }
    }

    /// Stores a list; it must be the planned one.
    package func store(_ content: ListContent, as id: ListID) async throws(ApplyError) {
        let isStored = try await mapLedgerErrors { () async throws(StateStoreError) in
            try await ledger.keepStoredList(id)
        }
        guard !isStored else { return }
        let draft: any ListDraft
        if let drafted = drafts?.take(content) {
            draft = drafted
        } else {
            draft = try read(content, as: id)
        }
        try await mapLedgerErrors { () async throws(StateStoreError) in
            try await draft.keep(as: id)
        }
    }

    /// Reads a list that was not stored while it was checked.
    private func read(
        _ content: ListContent,
        as id: ListID
    ) throws(ApplyError) -> any ListDraft {
        let draft = ledger.draftList(ListShape(of: content))
        try mapListErrors { () throws(RegistrationListError) in
            var reader = try CheckedListReader(
                content,
                directory: directory,
                fingerprinter: fingerprinter,
                expected: id
            )
            while true {
                let rows = try reader.next(PackedRows.maximumCount)
                guard !rows.isEmpty else { return }
                draft.append([PackedRows(rows, columns: content.names.count)])
            }
        }
        return draft
    }
}

extension SendStep {
    /// Until when the list of an occurrence with this due time is kept for a recall; nil if it is not.
    func listKept(from due: Instant) -> Instant? {
        policy.keepsList && !isFanOut ? template.recallEnd(due: due) : nil
    }
}
