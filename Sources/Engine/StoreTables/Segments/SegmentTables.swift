package import CampaignModel
import FoundationEssentials
package import State

/// Reads and writes segments and pages within one transaction.
package struct SegmentTables {
    package let db: any StateDatabase
    package let sealer: ContentSealer

    package init(db: any StateDatabase, sealer: ContentSealer) {
        self.db = db
        self.sealer = sealer
    }

    package func damaged(_ reason: String) -> StateStoreError { sealer.damaged(reason) }
}

// MARK: - Segments

extension SegmentTables {
    /// The segments of a scope, the oldest first.
    package func segments(of scope: Int64) throws -> [StoredSegment] {
        let rows = try db.rows(
            """
            SELECT id, level, count, target, bits, done, last_page FROM membership_segments
            WHERE scope = ? ORDER BY id
            """,
            arguments: [scope]
        )
        var segments: [StoredSegment] = []
        while let row = try rows.next() { segments.append(try segment(row)) }
        return segments
    }

    private func segment(_ row: any StoredRow) throws -> StoredSegment {
        guard let level = StoredSegment.Level(rawValue: try row.decode(Int.self, atIndex: 1)) else {
            throw damaged("a segment of memberships has no valid level")
        }
        var progress: MergeProgress?
        if level == .unfinished {
            progress = MergeProgress(
                bits: try row.decode(Int.self, atIndex: 4),
                done: try row.decode(Int.self, atIndex: 5),
                lastPage: try row.decode(Int64.self, atIndex: 6)
            )
        }
        return StoredSegment(
            id: try row.decode(Int64.self, atIndex: 0),
            level: level,
            count: try row.decode(Int.self, atIndex: 2),
            target: try row.decode(Int64?.self, atIndex: 3),
            progress: progress
        )
    }

    /// The records of a scope whose fingerprints are in a part, by segment, the oldest first.
    package func records(of scope: Int64, in part: FingerprintPart) throws -> [[MembershipRecord]] {
        try read(scope, in: part).map { try $0.records() }
    }

    /// Like the other one, for segments that were already read.
    package func records(
        of segments: [StoredSegment],
        scope: Int64,
        in part: FingerprintPart
    ) throws -> [[MembershipRecord]] {
        try read(segments, scope: scope, in: part).map { try $0.records() }
    }

    /// Reads the chunks that may contain records in a part, by segment, the oldest first.
    package func read(_ scope: Int64, in part: FingerprintPart) throws -> [SegmentRange] {
        try read(try segments(of: scope), scope: scope, in: part)
    }

    private func read(
        _ segments: [StoredSegment],
        scope: Int64,
        in part: FingerprintPart
    ) throws -> [SegmentRange] {
        let starts = Self.starts(of: segments)
        return try segments.map { segment in
            let place = SegmentPlace(scope: scope, segment: segment.id)
            let first = max(part.first, starts[segment.id] ?? part.first)
            return try read(place, from: first, through: part.last)
        }
    }

    /// Where the records of segments begin from which a merge has moved the first parts.
    package static func starts(of segments: [StoredSegment]) -> [Int64: Fingerprint] {
        guard let target = segments.first(where: { $0.progress != nil }),
            let progress = target.progress
        else { return [:] }
        let sources = segments.filter { $0.target == target.id }
        return Dictionary(uniqueKeysWithValues: sources.map { ($0.id, progress.next.first) })
    }

    private func read(
        _ place: SegmentPlace,
        from first: Fingerprint,
        through last: Fingerprint
    ) throws -> SegmentRange {
        var range = SegmentRange(first: first, last: last)
        let rows = try db.rows(
            """
            SELECT first, last, checksum, records FROM membership_chunks
            WHERE segment = ?1 AND last >= ?2 AND last <= coalesce((
                SELECT last FROM membership_chunks WHERE segment = ?1 AND last >= ?3
                ORDER BY last LIMIT 1), ?3)
            ORDER BY last
            """,
            arguments: [place.segment, first.blob, last.blob]
        )
        while let row = try rows.next() {
            let chunk = try StoredChunk(row, at: place, sealer: sealer)
            guard chunk.first <= last else { break }
            range.chunks.append((chunk, try StoredChunk.Value(row)))
        }
        return range
    }
}

/// The chunks of a segment that may contain records between two fingerprints, as they are stored.
package struct SegmentRange: Sendable {
    package let first: Fingerprint
    package let last: Fingerprint
    fileprivate(set) var chunks: [(chunk: StoredChunk, value: StoredChunk.Value)] = []

    fileprivate init(first: Fingerprint, last: Fingerprint) {
        self.first = first
        self.last = last
    }

    /// Checks and returns the records between the two fingerprints.
    package func records() throws -> [MembershipRecord] {
        var records: [MembershipRecord] = []
        records.reserveCapacity(chunks.count * SegmentChunk.size)
        for (chunk, value) in chunks {
            try chunk.decode(value, from: first, through: last, into: &records)
        }
        return records
    }
}

/// A segment in its scope.
package struct SegmentPlace {
    package let scope: Int64
    package let segment: Int64

    package init(scope: Int64, segment: Int64) {
        self.scope = scope
        self.segment = segment
    }
}

/// A row with the columns `first`, `last`, `checksum` and `records` of `membership_chunks`.
package struct StoredChunk: Sendable {
    /// The columns `checksum` and `records`.
    package struct Value: Sendable {
        fileprivate let checksum: Int64
        fileprivate let content: Data

        init(_ row: any StoredRow) throws {
            checksum = try row.decode(Int64.self, atIndex: 2)
            content = try row.decode(Data.self, atIndex: 3)
        }
    }

    package let first: Fingerprint
    package let last: Fingerprint
    private let place: SegmentPlace
    private let sealer: ContentSealer

    package init(_ row: any StoredRow, at place: SegmentPlace, sealer: ContentSealer) throws {
        guard let first = Fingerprint(blob: try row.decode(Data.self, atIndex: 0)),
            let last = Fingerprint(blob: try row.decode(Data.self, atIndex: 1))
        else { throw sealer.damaged("a membership cannot be read") }
        self.first = first
        self.last = last
        self.place = place
        self.sealer = sealer
    }

    /// Appends the records between two fingerprints.
    package func read(
        _ row: any StoredRow,
        from lowest: Fingerprint,
        through highest: Fingerprint,
        into records: inout [MembershipRecord]
    ) throws {
        try decode(try Value(row), from: lowest, through: highest, into: &records)
    }

    /// Appends the records of a value between two fingerprints.
    package func decode(
        _ value: Value,
        from lowest: Fingerprint,
        through highest: Fingerprint,
        into records: inout [MembershipRecord]
    ) throws {
        guard value.checksum == Checksum.of(value.content) else {
            throw sealer.damaged("stored memberships do not match their checksum")
        }
        let sealed = SealedPlace.records(scope: place.scope, segment: place.segment, last: last)
        let content = try sealer.open(value.content, at: sealed)
        let bounds = SegmentChunk.bounds(content)
        guard bounds?.first == first, bounds?.last == last,
            SegmentChunk.decode(content, from: lowest, through: highest, into: &records)
        else { throw sealer.damaged("a membership cannot be read") }
    }

    /// Returns all records.
    package func records(_ row: any StoredRow) throws -> [MembershipRecord] {
        var records: [MembershipRecord] = []
        try read(row, from: first, through: last, into: &records)
        return records
    }
}

// MARK: - Writing

extension SegmentTables {
    /// Adds the newest segment of a scope; `records` are sorted by fingerprint.
    package func insert(
        _ records: [MembershipRecord],
        as level: StoredSegment.Level,
        scope: Int64
    ) throws {
        guard !records.isEmpty else { return }
        try append(records, to: try makeSegment(as: level, scope: scope))
    }

    /// Adds an empty segment, which is the newest one of a scope.
    package func makeSegment(as level: StoredSegment.Level, scope: Int64) throws -> SegmentPlace {
        let segment = try db.insert(
            "INSERT INTO membership_segments (scope, level, count) VALUES (?, ?, 0)",
            arguments: [scope, level.rawValue]
        )
        return SegmentPlace(scope: scope, segment: segment)
    }

    /// Appends sorted records to a segment without higher ones.
    package func append(_ records: [MembershipRecord], to place: SegmentPlace) throws {
        try db.run(
            "UPDATE membership_segments SET count = count + ? WHERE id = ?",
            arguments: [records.count, place.segment]
        )
        for start in stride(from: 0, to: records.count, by: SegmentChunk.size) {
            try insert(
                records[start..<min(start + SegmentChunk.size, records.count)],
                into: place
            )
        }
    }

    package func insert(_ records: ArraySlice<MembershipRecord>, into place: SegmentPlace) throws {
        guard let first = records.first?.fingerprint, let last = records.last?.fingerprint else {
            return
        }
        let content = try sealer.seal(
            SegmentChunk.encode(records),
            at: .records(scope: place.scope, segment: place.segment, last: last)
        )
        try db.run(
            """
            INSERT INTO membership_chunks (segment, first, last, count, checksum, records)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            arguments: [
                place.segment, first.blob, last.blob, records.count, Checksum.of(content), content,
            ]
        )
    }

    package func delete(_ segment: StoredSegment) throws { try delete(segment.id) }

    package func delete(_ segment: Int64) throws {
        try db.run("DELETE FROM membership_segments WHERE id = ?", arguments: [segment])
    }

    /// Removes everything that is stored about the members of a scope.
    package func deleteAll(of scope: Int64) throws {
        for table in ["membership_segments", "registration_pages"] {
            try db.run("DELETE FROM \(table) WHERE scope = ?", arguments: [scope])
        }
    }
}
