import CampaignMessages
import CampaignModel
import Planning
import RegistrationLists
import State
import Time

/// Opens the record of an occurrence before its first request.
struct SendOpener {
    let store: any StateStore
    /// The project's folder, which contains its lists.
    let directory: String

    /// Creates the work unit; a list is stored first and must be the planned one.
    func open(
        _ send: SendStep,
        due: Instant,
        in run: RunID
    ) throws(ApplyError) -> WorkUnitRecord {
        let target: UnitTarget
        switch send.target {
        case .topic(let topic): target = .topic(topic)
        case .condition(let text): target = .condition(text)
        case .group(let name): target = .group(name)
        case .stored(let id, _): target = .registrations(id)
        case .list(let list, let id, _):
            try store(list, as: id)
            target = .registrations(id)
        }
        return try mapLedgerErrors { () throws(StateStoreError) in
            try store.open(
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

    private func store(_ list: RegistrationList, as id: ListID) throws(ApplyError) {
        try mapLedgerErrors { () throws(StateStoreError) in try store.beginList(id) }
        var reader = try mapListErrors { () throws(RegistrationListError) in
            try CheckedListReader(list, directory: directory, expected: id)
        }
        var first = 0
        while true {
            let chunk = try mapListErrors { () throws(RegistrationListError) in
                try reader.next(1_000)
            }
            guard !chunk.isEmpty else { return }
            try mapLedgerErrors { () throws(StateStoreError) in
                try store.append(chunk, to: id, first: first)
            }
            first += chunk.count
        }
    }
}
