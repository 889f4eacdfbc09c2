package import CampaignModel
import FoundationEssentials
package import JSON
package import State
import Time

extension TableStore {
    /// Reads a consistent snapshot of the state, with one query per kind of content.
    package func appliedState() throws(StateStoreError) -> AppliedState {
        try read { db in
            AppliedState(
                identity: try identity(in: db),
                version: try db.version(),
                definitions: try definitions(in: db),
                occurrences: try occurrences(in: db),
                memberships: try membershipSummaries(in: db),
                lastJoins: try lastJoins(in: db),
                pauses: try pauses(in: db),
                resolutions: try resolutions(in: db),
                deadCount: try deadCount(in: db),
                guards: try appliedGuards(in: db),
                environment: try environment(in: db)
            )
        }
    }

    package func environment() throws(StateStoreError) -> JSONValue? {
        try read { db in try environment(in: db) }
    }

    private func environment(in db: any StateDatabase) throws -> JSONValue? {
        guard let row = try db.row("SELECT environment FROM meta") else { return nil }
        return try json(row, at: 0)
    }

    package func identity() throws(StateStoreError) -> StateIdentity {
        try read { db in try identity(in: db) }
    }

    func identity(in db: any StateDatabase) throws -> StateIdentity {
        guard let row = try db.row("SELECT lineage, serial, fingerprint_key FROM meta") else {
            throw damaged("it has no lineage")
        }
        return StateIdentity(
            lineage: StateLineage(text: try row.decode(String.self, atIndex: 0)),
            serial: StateSerial(number: try row.decode(Int64.self, atIndex: 1)),
            fingerprintKey: try fingerprintKey(row, at: 2)
        )
    }

    private func fingerprintKey(_ row: any StoredRow, at column: Int) throws -> FingerprintKey {
        if let vault = openedVault { return vault.fingerprintKey }
        // Encrypted since it was opened.
        guard let plain = try row.decode(Data?.self, atIndex: column) else {
            throw StateStoreError.encrypted(path: path)
        }
        return FingerprintKey(bytes: Array(plain))
    }

    private func definitions(in db: any StateDatabase) throws -> [CampaignID: CampaignDefinition] {
        var definitions: [CampaignID: CampaignDefinition] = [:]
        var stored: [StoredDefinition] = []
        let rows = try db.rows(StoredDefinition.query)
        while let row = try rows.next() {
            stored.append(try storedDefinition(row))
            guard stored.count == Self.parsedTogether else { continue }
            try parse(stored, into: &definitions)
            stored.removeAll(keepingCapacity: true)
        }
        try parse(stored, into: &definitions)
        return definitions
    }

    /// The number of definitions whose texts are in memory at the same time.
    private static var parsedTogether: Int { 2_048 }

    func storedDefinition(_ row: any StoredRow) throws -> StoredDefinition {
        StoredDefinition(
            campaign: try campaign(row, at: 0),
            content: try row.decode(String.self, atIndex: 1),
            slotsAfter: try row.decode(Int64?.self, atIndex: 2)
                .map(Instant.init(secondsSince1970:)),
            sending: try row.decode(String?.self, atIndex: 3).map(sealer.revealed),
            list: try row.decode(String?.self, atIndex: 4).map { ListID(text: $0) },
            isReviewed: try row.decode(Bool.self, atIndex: 5)
        )
    }

    func parsed(
        _ stored: [StoredDefinition]
    ) throws -> [CampaignID: CampaignDefinition] {
        var definitions: [CampaignID: CampaignDefinition] = [:]
        try parse(stored, into: &definitions)
        return definitions
    }

    private func parse(
        _ stored: [StoredDefinition],
        into definitions: inout [CampaignID: CampaignDefinition]
    ) throws {
        for definition in mapInParallel(stored, transform: { $0.parsed }) {
            guard let definition else { throw damaged("a definition is not JSON") }
            definitions[definition.campaign] = definition
        }
    }

    private func occurrences(in db: any StateDatabase) throws -> [OccurrenceID: OccurrenceRecord] {
        var occurrences: [OccurrenceID: OccurrenceRecord] = [:]
        let rows = try db.rows(
            "\(Self.occurrenceQuery) WHERE recall IS NULL AND slot NOT LIKE '\(Slot.replyMark)%'"
        )
        while let row = try rows.next() {
            let occurrence = try occurrence(row)
            occurrences[occurrence.id] = occurrence
        }
        return occurrences
    }
}

extension TableStore {
    static var unitColumns: String {
        """
        ids IS NOT NULL, units.id, kind, target, count, released, compacted, capped,
            \(OutcomeTally.columns)
        """
    }

    static var occurrenceQuery: String {
        """
        SELECT campaign, slot, revision, status, due, message, deduplication_key, hold,
            objective, reached, rollout, recall, \(unitColumns)
        FROM occurrences LEFT JOIN units ON units.id = unit
        """
    }

    func occurrence(_ row: any StoredRow) throws -> OccurrenceRecord {
        let id = try occurrenceID(row, from: 0)
        let rawStatus = try row.decode(UInt8.self, atIndex: 3)
        guard let status = OccurrenceStatus(rawValue: rawStatus) else {
            throw damaged("\(id) has the unknown status \(rawStatus)")
        }
        return OccurrenceRecord(
            id: id,
            status: status,
            due: Instant(secondsSince1970: try row.decode(Int64.self, atIndex: 4)),
            message: try json(row, at: 5),
            unit: try unit(row, from: 12),
            deduplicationKey: try row.decode(String?.self, atIndex: 6),
            hold: try hold(row, at: 7, of: id),
            objective: try objective(row, at: 8, of: id),
            reachedAfter: try row.decode(Int64?.self, atIndex: 9),
            rollout: try rollout(row, at: 10, of: id),
            recall: try recall(row, at: 11, of: id)
        )
    }

    private func recall(
        _ row: any StoredRow,
        at column: Int,
        of id: OccurrenceID
    ) throws -> RecallAuthor? {
        guard let text = try row.decode(String?.self, atIndex: column) else { return nil }
        return try recallAuthor(text, of: id)
    }

    func recallAuthor(_ text: String, of id: OccurrenceID) throws -> RecallAuthor {
        guard let author = JSONValue(stored: text).flatMap(RecallAuthor.init(stored:)) else {
            throw damaged("the author of \(id) cannot be read")
        }
        return author
    }

    private func rollout(
        _ row: any StoredRow,
        at column: Int,
        of id: OccurrenceID
    ) throws -> RolloutRecord? {
        guard let text = try row.decode(String?.self, atIndex: column) else { return nil }
        return try rollout(text, of: id)
    }

    func rollout(_ text: String, of id: OccurrenceID) throws -> RolloutRecord {
        guard let record = JSONValue(stored: text).flatMap(RolloutRecord.init(stored:)) else {
            throw damaged("the rollout of \(id) cannot be read")
        }
        return record
    }

    private func objective(
        _ row: any StoredRow,
        at column: Int,
        of id: OccurrenceID
    ) throws -> Objective? {
        guard let text = try row.decode(String?.self, atIndex: column) else { return nil }
        guard let objective = Objective(text) else {
            throw damaged("the objective of \(id) cannot be read")
        }
        return objective
    }

    private func hold(_ row: any StoredRow, at column: Int, of id: OccurrenceID) throws -> Hold? {
        guard let text = try row.decode(String?.self, atIndex: column) else { return nil }
        guard let hold = Hold(rawValue: text) else {
            throw damaged("the hold of \(id) has an unknown reason")
        }
        return hold
    }

    func unit(_ row: any StoredRow, from column: Int) throws -> WorkUnitRecord? {
        guard let number = try row.decode(Int64?.self, atIndex: column + 1) else { return nil }
        let kind = try row.decode(Int.self, atIndex: column + 2)
        let text = try row.decode(String.self, atIndex: column + 3)
        guard let target = UnitTarget(kind: kind, text: text) else {
            throw damaged("unit \(number) has an invalid target")
        }
        return WorkUnitRecord(
            id: UnitID(number: number),
            target: target,
            count: try row.decode(Int.self, atIndex: column + 4),
            released: try row.decode(Int.self, atIndex: column + 5),
            tally: try OutcomeTally(row, from: column + 8),
            keepsIDs: try row.decode(Bool.self, atIndex: column),
            compacted: try row.decode(Int64?.self, atIndex: column + 6)
                .map(Instant.init(secondsSince1970:)),
            capped: try row.decode(Int.self, atIndex: column + 7)
        )
    }

    /// Reads an occurrence's campaign, slot and revision from adjacent columns.
    package func occurrenceID(
        _ row: any StoredRow,
        from column: Int
    ) throws -> OccurrenceID {
        OccurrenceID(
            campaign: try campaign(row, at: column),
            slot: Slot(text: try row.decode(String.self, atIndex: column + 1)),
            revision: try row.decode(Int.self, atIndex: column + 2)
        )
    }

    /// Reads an audience and a topic from adjacent columns.
    func scope(_ row: any StoredRow, from column: Int) throws -> MembershipScope {
        guard let audience = AudienceID(try row.decode(String.self, atIndex: column)),
            let topic = Topic(try row.decode(String.self, atIndex: column + 1))
        else { throw damaged("an audience or topic has an invalid name") }
        return MembershipScope(audience: audience, topic: topic)
    }

    func campaign(_ row: any StoredRow, at column: Int) throws -> CampaignID {
        guard let id = CampaignID(try row.decode(String.self, atIndex: column)) else {
            throw damaged("a campaign has an invalid name")
        }
        return id
    }

    private func json(_ row: any StoredRow, at column: Int) throws -> JSONValue? {
        guard let text = try row.decode(String?.self, atIndex: column) else { return nil }
        guard let value = JSONValue(stored: try sealer.revealed(text)) else {
            throw damaged("a definition or message is not JSON")
        }
        return value
    }
}

/// A definition in the form of the database.
struct StoredDefinition {
    let campaign: CampaignID
    let content: String
    let slotsAfter: Instant?
    let sending: String?
    let list: ListID?
    let isReviewed: Bool

    static let query = """
        SELECT campaign, content, slots_after, sending, list, reviewed FROM definitions
        """

    /// Nil if a part of it is not JSON.
    var parsed: CampaignDefinition? {
        guard let content = JSONValue(stored: content) else { return nil }
        var stored: StoredSending?
        if let sending {
            guard let campaign = JSONValue(stored: sending) else { return nil }
            stored = StoredSending(campaign: campaign, list: list, isReviewed: isReviewed)
        }
        return CampaignDefinition(
            campaign: campaign,
            content: content,
            slotsAfter: slotsAfter,
            sending: stored
        )
    }
}
