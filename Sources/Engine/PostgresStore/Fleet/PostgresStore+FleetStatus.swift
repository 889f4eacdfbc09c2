import CampaignModel
package import State
import StoreTables

// What `herald status` and `herald doctor` show of a fleet.
extension PostgresStore {
    /// Reads the workers, the occurrences that they send, and how many requests may be doubled.
    ///
    /// It locks no row. The server counts work units, and the results have a row for each worker
    /// and for each occurrence.
    ///
    /// - Throws: The problem with the server, or a damaged row.
    package func fleet() throws(StateStoreError) -> FleetOverview {
        try read { db in
            FleetOverview(
                workers: try db.allRows(Self.workers).map { try WorkerOverview($0) },
                occurrences: try db.allRows(Self.occurrences).map { row in
                    try EntrustedOccurrence(row, id: try occurrenceID(row, from: 0), from: 3)
                },
                doubled: try db.allRows(Self.doubled).map { row in
                    DoubledRequests(
                        occurrence: try occurrenceID(row, from: 0),
                        count: try row.decode(Int.self, atIndex: 3)
                    )
                }
            )
        }
    }

    /// A slice ends when its worker no longer asks.
    private static let workers = """
        SELECT w.host, w.process,
            greatest(floor(extract(epoch FROM fleet_clock() - w.beat)), 0)::bigint,
            fleet_is_over(w.lease),
            CASE WHEN w.timeline = server.timeline THEN 0
                WHEN w.synchronous = 1 OR w.suspect IS NOT DISTINCT FROM w.timeline THEN 1
                ELSE 2 END::bigint,
            w.format, coalesce(units.count, 0),
            CASE WHEN s.asked > fleet_clock() - interval '3 s' THEN s.height ELSE 0 END,
            greatest(s.permits - w.returned, 0)
        FROM fleet_workers w JOIN fleet_slices s ON s.worker = w.id
        CROSS JOIN (SELECT fleet_timeline() AS timeline) server
        LEFT JOIN (
            SELECT owner, count(*) AS count FROM work_units
            WHERE owner IS NOT NULL AND finished = 0 GROUP BY owner) units ON units.owner = w.id
        ORDER BY w.number
        """

    /// The requests below the mark of a unit that it leaves out are in the tally.
    ///
    /// A unit whose owner is not there is free.
    private static let occurrences = """
        SELECT o.campaign, o.slot, o.revision, \(tally), fleet_is_recalled(f), f.problem, f.held,
            coalesce(part.released, 0), coalesce(part.free, 0), coalesce(part.owned, 0),
            coalesce(part.finished, 0), coalesce(part.workers, 0)
        FROM fleet_occurrences f
        JOIN units u ON u.id = f.unit
        JOIN occurrences o ON o.unit = f.unit
        LEFT JOIN (
            SELECT p.unit, count(*) FILTER (WHERE p.finished = 1) AS finished,
                count(*) FILTER (WHERE p.finished = 0 AND w.id IS NULL) AS free,
                count(*) FILTER (WHERE p.finished = 0 AND w.id IS NOT NULL) AS owned,
                count(DISTINCT w.id) FILTER (WHERE p.finished = 0) AS workers,
                sum(p.released - \(omitted))::bigint AS released
            FROM work_units p LEFT JOIN fleet_workers w ON w.id = p.owner
            GROUP BY p.unit) part ON part.unit = f.unit
        ORDER BY f.due, f.priority DESC, f.unit
        """

    private static let tally = OutcomeTally.columns.split(separator: ", ").map { "u.\($0)" }
        .joined(separator: ", ")

    /// The number of requests below the mark that a unit leaves out.
    private static let omitted = """
        CASE WHEN p.released = 0 OR length(p.omitted) = 0 THEN 0 ELSE
            bit_count(substr(p.omitted, 1, (p.released / 8)::int))
            + CASE WHEN p.released / 8 < length(p.omitted) THEN bit_count(
                (get_byte(p.omitted, (p.released / 8)::int)
                    & ((1 << (p.released % 8)::int) - 1))::bit(8)) ELSE 0 END
            END
        """

    private static let doubled = """
        SELECT o.campaign, o.slot, o.revision, sum(d.count)::bigint
        FROM fleet_doubled d JOIN occurrences o ON o.unit = d.unit
        GROUP BY o.campaign, o.slot, o.revision ORDER BY o.campaign, o.slot, o.revision
        """
}

extension WorkerOverview {
    fileprivate init(_ row: any StoredRow) throws {
        guard let timeline = TimelineStatus(rawValue: try row.decode(Int.self, atIndex: 4)) else {
            throw UnexpectedValue()
        }
        let format = try row.decode(Int.self, atIndex: 5)
        self.init(
            host: try row.decode(String.self, atIndex: 0),
            processID: try row.decode(Int.self, atIndex: 1),
            silence: try row.decode(Int64.self, atIndex: 2),
            isLeaseOver: try row.decode(Bool.self, atIndex: 3),
            timeline: timeline,
            format: format,
            isOfOtherFormat: format != PostgresSchema.format,
            units: try row.decode(Int.self, atIndex: 6),
            sendsPerMinute: try row.decode(Int.self, atIndex: 7),
            permits: try row.decode(Int.self, atIndex: 8)
        )
    }
}

extension EntrustedOccurrence {
    /// `column`: the first one of the tally.
    fileprivate init(_ row: any StoredRow, id: OccurrenceID, from column: Int) throws {
        let rest = column + Outcome.allCases.count
        self.init(
            id: id,
            tally: try OutcomeTally(row, from: column),
            released: try row.decode(Int.self, atIndex: rest + 3),
            units: Units(
                free: try row.decode(Int.self, atIndex: rest + 4),
                owned: try row.decode(Int.self, atIndex: rest + 5),
                finished: try row.decode(Int.self, atIndex: rest + 6)
            ),
            workers: try row.decode(Int.self, atIndex: rest + 7),
            isRecalled: try row.decode(Bool.self, atIndex: rest),
            problem: try row.decode(String?.self, atIndex: rest + 1),
            isHeld: try row.decode(Bool.self, atIndex: rest + 2)
        )
    }
}
