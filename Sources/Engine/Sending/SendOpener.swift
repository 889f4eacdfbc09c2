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
    /// The places of the project's lists.
    let directory: any ListPlaces

    package init(ledger: any Ledger, directory: any ListPlaces) {
        self.ledger = ledger
        self.directory = directory
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
                    count: send.remaining + send.dead.count,
                    deduplicationKey: send.deduplicationKey?.text,
                    keepsIDs: send.keepsIDs
                ),
                in: run
            )
        }
    }

    /// Stores a list; it must be the planned one.
    package func store(_ content: ListContent, as id: ListID) async throws(ApplyError) {
        try await mapLedgerErrors { () async throws(StateStoreError) in
            let shape = ListShape(content.list.kind, columns: content.names)
            try await ledger.beginList(id, shape: shape)
        }
        var reader = try mapListErrors { () throws(RegistrationListError) in
            try CheckedListReader(content, directory: directory, expected: id)
        }
        var first = 0
        while true {
            let chunk = try mapListErrors { () throws(RegistrationListError) in
                try reader.next(1_000)
            }
            guard !chunk.isEmpty else { return }
            try await mapLedgerErrors { () async throws(StateStoreError) in
                try await ledger.append(chunk, to: id, first: first)
            }
            first += chunk.count
        }
    }
}
