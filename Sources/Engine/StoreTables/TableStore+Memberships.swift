package import CampaignModel
package import State
import Time

// A membership consists of segments: see `SegmentTables`. A change appends one and reads nothing,
// except that a leave needs the members' registrations.
extension TableStore {
    nonisolated package func segmentTables(_ db: any StateDatabase) -> SegmentTables {
        SegmentTables(db: db, sealer: sealer)
    }

    package func records(
        in scope: MembershipScope,
        part: FingerprintPart
    ) throws(StateStoreError) -> MembershipRecords {
        try read { db in
            guard let row = try find(scope, in: db) else { return MembershipRecords { [] } }
            let read = try segmentTables(db).read(row, in: part)
            return MembershipRecords { [path] () throws(StateStoreError) in
                do { return try read.map { try $0.records() } } catch {
                    throw StateStoreError(storing: error, path: path)
                }
            }
        }
    }

    package func recordedMembers(
        in scope: MembershipScope,
        after fingerprint: Fingerprint?,
        limit: Int
    ) throws(StateStoreError) -> [RecordedMember] {
        try read { db in
            guard let row = try find(scope, in: db) else { return [] }
            let tables = segmentTables(db)
            var found: [MembershipRecord] = []
            for part in try tables.parts(of: row, dividedBy: Self.readingSize) {
                if found.count >= limit { break }
                if let fingerprint, part.last <= fingerprint { continue }
                let records = SegmentMerge.merged(try tables.records(of: row, in: part))
                found += records.filter { record in
                    let isBefore = fingerprint.map { record.fingerprint <= $0 } ?? false
                    return !isBefore && record.memberStatus != nil
                }
            }
            return try recorded(Array(found.prefix(limit)), by: tables)
        }
    }

    /// Records that are merged at once to find the members after another one.
    private static var readingSize: Int { 16_384 }

    private func recorded(
        _ members: [MembershipRecord],
        by tables: SegmentTables
    ) throws -> [RecordedMember] {
        zip(members, try tables.registrations(of: members)).compactMap { record, registration in
            let member = Member(fingerprint: record.fingerprint, registration: registration)
            return record.memberStatus.map { RecordedMember(member: member, status: $0) }
        }
    }

    package func standings(
        of fingerprints: [Fingerprint],
        in topic: Topic
    ) throws(StateStoreError) -> MembershipStandings {
        try read { db in
            let (tables, scopes) = (segmentTables(db), try scopes(of: topic, in: db))
            let sorted = fingerprints.sorted()
            var sets = [MembershipStandings.StatusSet](repeating: [], count: sorted.count)
            let parts = FingerprintPart.parts(of: sorted.count, dividedBy: SegmentTables.stretch)
            for part in parts {
                let range = sorted.sortedRange(from: part.first, through: part.last)
                for scope in scopes where !range.isEmpty {
                    let found = try tables.members(Array(sorted[range]), of: scope)
                    for (index, record) in zip(range, found) {
                        guard let status = record?.memberStatus else { continue }
                        sets[index].insert(MembershipStandings.StatusSet(status))
                    }
                }
            }
            return MembershipStandings(of: sorted, sets: sets)
        }
    }

    private func scopes(of topic: Topic, in db: any StateDatabase) throws -> [Int64] {
        try db.numbers(
            "SELECT id FROM scopes WHERE topic = ?",
            arguments: [topic.name]
        )
    }
}

// MARK: - Changes

extension TableStore {
    package func membershipTransport() throws(StateStoreError) -> MembershipTransport? {
        try read { db in
            let row = try db.row("SELECT membership_transport FROM meta")
            return try row?.decode(String?.self, atIndex: 0).flatMap(MembershipTransport.init)
        }
    }

    package func remember(_ transport: MembershipTransport) throws(StateStoreError) {
        try write { db in
            try db.run("UPDATE meta SET membership_transport = ?", arguments: [transport.rawValue])
        }
    }

    package func record(
        _ step: MembershipStep,
        in scope: MembershipScope
    ) throws(StateStoreError) {
        guard !step.isEmpty else { return }
        let members = step.members.sorted { $0.key.rawValue < $1.key.rawValue }
        let segments = members.count + (step.results.isEmpty ? 0 : 1)
        try change(scope, createsScope: !members.isEmpty, adding: segments) { tables, row in
            try finish(step.results, at: step.moment, in: row, by: tables)
            for (status, members) in members {
                try tables.insert(members, as: status, scope: row)
            }
        }
    }

    private func finish(
        _ results: [MembershipResult],
        at moment: Instant,
        in row: Int64,
        by tables: SegmentTables
    ) throws {
        if results.contains(where: { $0.verdict == .done }) {
            try tables.db.run(
                "UPDATE scopes SET joined = ? WHERE id = ?",
                arguments: [moment.secondsSince1970, row]
            )
        }
        let records = results.map { result in
            let status: MembershipStatus =
                switch result.verdict {
                case .done: .joined
                case .refused: .refused
                }
            return MembershipRecord(fingerprint: result.fingerprint, content: .status(status))
        }
        try tables.insert(records.sortedWithoutRepetitions(), as: .commit, scope: row)
    }

    package func beginLeave(
        _ fingerprints: [Fingerprint],
        in scope: MembershipScope
    ) throws(StateStoreError) -> [Member] {
        guard !fingerprints.isEmpty else { return [] }
        let found = try change(scope) { tables, row in
            let members = try tables.members(Array(Set(fingerprints)).sorted(), of: row)
                .compactMap(\.self)
            let registrations = try tables.registrations(of: members)
            try tables.insert(
                members.map {
                    MembershipRecord(fingerprint: $0.fingerprint, content: .status(.leaving))
                },
                as: .commit,
                scope: row
            )
            return Dictionary(uniqueKeysWithValues: zip(members.map(\.fingerprint), registrations))
        }
        return fingerprints.compactMap { fingerprint in
            found?[fingerprint].map { Member(fingerprint: fingerprint, registration: $0) }
        }
    }

    package func finishLeave(
        _ results: [MembershipResult],
        in scope: MembershipScope
    ) throws(StateStoreError) {
        guard !results.isEmpty else { return }
        try change(scope) { tables, row in
            let records = results.map {
                MembershipRecord(fingerprint: $0.fingerprint, content: .removed)
            }
            try tables.insert(records.sortedWithoutRepetitions(), as: .commit, scope: row)
        }
    }

    /// Changes the members of a scope in one transaction, then performs the merge that is due.
    ///
    /// `segments`: the number of segments that `body` adds. Returns nil if the scope does not exist
    /// and is not created.
    @discardableResult
    private func change<Value>(
        _ scope: MembershipScope,
        createsScope: Bool = false,
        adding segments: Int = 1,
        _ body: (SegmentTables, Int64) throws -> Value
    ) throws(StateStoreError) -> Value? {
        let changed = try write { db -> (row: Int64, value: Value)? in
            let found = try find(scope, in: db)
            guard let row = try createsScope ? found ?? make(scope, in: db) : found else {
                return nil
            }
            try db.run(
                "UPDATE scopes SET counted = 0 WHERE id = ? AND counted = 1",
                arguments: [row]
            )
            return (row, try body(segmentTables(db), row))
        }
        guard let changed else { return nil }
        upkeep.hasUncountedScopes = true
        try mergeIfDue(changed.row, adding: segments)
        return changed.value
    }

    private func find(_ scope: MembershipScope, in db: any StateDatabase) throws -> Int64? {
        try db.row(
            "SELECT id FROM scopes WHERE topic = ? AND audience = ?",
            arguments: [scope.topic.name, scope.audience.rawValue]
        )?.decode(Int64.self, atIndex: 0)
    }

    private func make(_ scope: MembershipScope, in db: any StateDatabase) throws -> Int64 {
        try db.insert(
            "INSERT INTO scopes (topic, audience) VALUES (?, ?)",
            arguments: [scope.topic.name, scope.audience.rawValue]
        )
    }
}

extension [Fingerprint] {
    /// Returns the places of different fingerprints in the order of a segment; of equal ones, that
    /// of the last one.
    fileprivate func orderWithoutRepetitions() -> [Int] {
        let sorted = enumerated().sorted { one, other in
            if one.element.high != other.element.high {
                return one.element.high < other.element.high
            }
            if one.element.low != other.element.low { return one.element.low < other.element.low }
            return one.offset < other.offset
        }
        return sorted.indices.filter { index in
            index + 1 == sorted.count || sorted[index + 1].element != sorted[index].element
        }.map { sorted[$0].offset }
    }
}

extension [MembershipRecord] {
    /// Returns the records in the order of a segment; of equal fingerprints, the last one.
    fileprivate func sortedWithoutRepetitions() -> [MembershipRecord] {
        map(\.fingerprint).orderWithoutRepetitions().map { self[$0] }
    }
}

extension SegmentTables {
    /// Appends members with their registrations; of equal fingerprints, the last one counts.
    fileprivate func insert(
        _ members: [Member],
        as status: MembershipStatus,
        scope: Int64
    ) throws {
        var writer = try RegistrationPageWriter(self, scope: scope)
        var records: [MembershipRecord] = []
        records.reserveCapacity(members.count)
        var entry: [UInt8] = []
        for index in members.map(\.fingerprint).orderWithoutRepetitions() {
            let member = members[index]
            entry.removeAll(keepingCapacity: true)
            PackedRegistration.append(member.registration, to: &entry)
            let place = try writer.add(entry[...], of: member.fingerprint)
            records.append(
                MembershipRecord(
                    fingerprint: member.fingerprint,
                    content: .member(status),
                    place: place
                )
            )
        }
        try writer.finish()
        try insert(records, as: .commit, scope: scope)
    }
}
