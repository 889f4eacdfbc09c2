import Fleet
import FoundationEssentials
import PostgresClient
import StoreTables

// Registration, leases, slices and failovers.
extension FleetExchange {
    static func register(_ id: WorkerID, isSynchronous: Bool) -> Self {
        let registration = PostgresStatement(
            """
            WITH added AS (
                INSERT INTO fleet_workers (id, host, process, format, synchronous, timeline, lease, beat)
                VALUES ($1, $2, $3, $4, $5, fleet_timeline(),
                    fleet_clock() + \(LeaseTerms.lifetime.interval), fleet_clock())
                ON CONFLICT DO NOTHING RETURNING id)
            INSERT INTO fleet_slices (worker) SELECT id FROM added
            """,
            [
                .worker(id), .text(ProcessInfo.processInfo.hostName),
                .number(Int(ProcessInfo.processInfo.processIdentifier)),
                .number(PostgresSchema.format), .number(isSynchronous ? 1 : 0),
            ]
        )
        let check = PostgresStatement("SELECT fleet_check_place()")
        return Self([check, registration]) { _, server in .registered(server) }
    }

    static func beat(_ id: WorkerID) -> Self {
        let beat = PostgresStatement(
            "SELECT its_incarnation, straggler FROM fleet_beat($1)",
            [.worker(id)]
        )
        return Self([beat]) { results, server in
            let row = PostgresRow(results[0], 0)
            let straggler = try row.integer(at: 1)
            return .beat(
                BeatAnswer(
                    server: server,
                    incarnation: try row.decode(Int?.self, atIndex: 0),
                    straggler: straggler.map { WorkerID(UInt64(bitPattern: $0)) }
                )
            )
        }
    }

    static func ask(_ id: WorkerID, _ request: SliceRequest) -> Self {
        let ask = PostgresStatement(
            """
            UPDATE fleet_slices s
            SET request = $2, wanted = $3, throttled = $4, validity = $5, asked = fleet_clock()
            FROM fleet_workers w WHERE s.worker = $1 AND w.id = s.worker
            RETURNING s.answered, s.height, s.permits - w.returned, s.share, w.losses
            """,
            [
                .worker(id), .number(request.number), .number(request.wanted),
                .number(request.isThrottled ? 1 : 0), .number(request.validity.milliseconds),
            ]
        )
        let recalled = PostgresStatement(
            "SELECT unit FROM fleet_occurrences o WHERE fleet_is_recalled(o)"
        )
        return Self([ask, recalled]) { results, server in
            guard let row = results[0].rows.first else { throw NotCurrent() }
            return .asked(
                server,
                SliceAnswer(
                    number: try row.number(at: 0),
                    height: try row.number(at: 1),
                    permits: try row.number(at: 2),
                    share: try row.number(at: 3),
                    losses: try row.number(at: 4),
                    recalled: Set(
                        try results[1].rows.map { OccurrenceNumber(try $0.number(at: 0)) }
                    )
                )
            )
        }
    }

    /// The row is changed, not read, so that an earlier commit is visible or cannot happen any more.
    static func settle(_ id: WorkerID, claims tokens: [ClaimToken]) -> Self {
        let raise = PostgresStatement(
            """
            WITH former AS (SELECT id, suspect FROM fleet_workers WHERE id = $1 FOR UPDATE)
            UPDATE fleet_workers w SET incarnation = w.incarnation + 1, suspect = NULL
            FROM former f, fleet_slices s WHERE w.id = f.id AND s.worker = w.id
            RETURNING w.incarnation, w.commits, w.timeline, f.suspect IS NOT NULL,
                s.permits - w.returned, w.losses
            """,
            [.worker(id)]
        )
        let units = PostgresStatement(
            "SELECT id, epoch, token FROM work_units WHERE owner = $1 AND finished = 0",
            [.worker(id)]
        )
        return Self([raise, units] + claimed(tokens, by: id)) { results, server in
            guard let row = results[0].rows.first else { return .settled(server, nil) }
            let fences = try results[1].rows.map {
                (WorkUnitID(try $0.number(at: 0)), try $0.fence(at: 1))
            }
            let worker = SettledWorker(
                incarnation: try row.number(at: 0),
                commits: try row.number(at: 1),
                confirmed: Timeline(try row.number(at: 2)),
                wasSuspect: try row.decode(Bool.self, atIndex: 3),
                permits: try row.number(at: 4),
                losses: try row.number(at: 5),
                units: Dictionary(uniqueKeysWithValues: fences),
                claims: try claims(results[2], log: results[3])
            )
            return .settled(server, worker)
        }
    }

    static func strikeOff(_ fence: WorkerFence, _ target: WorkerID) -> Self {
        let strike = PostgresStatement("SELECT fleet_strike_off($1)", [.worker(target)])
        return Self([strike], pass: Pass(fence: fence)) { _, server in .struckOff(server) }
    }

    static func leave(_ fence: WorkerFence) -> Self {
        let leave = PostgresStatement(
            "DELETE FROM fleet_workers WHERE id = $1",
            [.worker(fence.worker)]
        )
        return Self([leave], pass: Pass(fence: fence)) { _, server in .left(server) }
    }

    /// Merges units; with the last ones, confirms the timeline.
    static func restore(
        _ fence: WorkerFence,
        _ units: [RestoredUnit],
        isLast: Bool,
        notes: [WorkUnitID: UnitNotes]
    ) -> Self {
        let check = PostgresStatement(
            "SELECT fleet_restoration_fence($1, $2, $3)",
            [
                .worker(fence.worker), .number(fence.incarnation),
                .number(fence.timeline.number),
            ]
        )
        // Units are locked in the order of their numbers. One unit can have several claims, whose order
        // must remain.
        let sorted = units.enumerated()
            .sorted { ($0.element.unit, $0.offset) < ($1.element.unit, $1.offset) }.map(\.element)
        let restorations = sorted.map { restoration($0, of: fence.worker, notes: notes[$0.unit]) }
        let end =
            isLast ? [release(by: fence.worker, besides: units), confirmation(fence, units)] : []
        return Self([check] + restorations + end) { results, server in
            var taken: [WorkUnitID] = []
            for (unit, result) in zip(sorted, results.dropFirst())
            where unit.holding == .owned || unit.holding == .abandoned {
                let row = result.rows.first
                // A unit that is not there is merged, or its cut is lost.
                if let row, try !row.decode(Bool.self, atIndex: 0) { taken.append(unit.unit) }
            }
            return .restored(server, taken: taken)
        }
    }

    /// Frees the units of a worker that it does not have.
    ///
    /// A failover brought them back after the worker forgot them, because their end counted as stored. The
    /// worker no longer knows what it sent of them, so that all their requests are possibly doubled.
    private static func release(
        by worker: WorkerID,
        besides units: [RestoredUnit]
    ) -> PostgresStatement {
        let kept = units.filter { $0.holding == .owned }
        return PostgresStatement(
            """
            WITH forgotten AS (
                SELECT u.id FROM work_units u
                LEFT JOIN unnest($2::bigint[], $3::bigint[], $4::bigint[])
                    AS kept (id, epoch, token)
                    ON kept.id = u.id AND kept.epoch = u.epoch AND kept.token = u.token
                WHERE u.owner = $1 AND u.finished = 0 AND kept.id IS NULL
                ORDER BY u.id FOR UPDATE OF u),
            freed AS (
                UPDATE work_units u SET owner = NULL FROM forgotten
                WHERE u.id = forgotten.id RETURNING u.unit, u.id, u.first, u.count)
            INSERT INTO fleet_doubled (unit, work_unit, first, count)
            SELECT unit, id, first, count FROM freed
            ON CONFLICT (unit, work_unit)
            DO UPDATE SET count = greatest(fleet_doubled.count, excluded.count)
            """,
            [
                .worker(worker), .integers(kept.map { Int64($0.unit.number) }),
                .integers(kept.map { Int64($0.fence.epoch) }),
                .integers(kept.map { Int64(bitPattern: $0.fence.token.number) }),
            ]
        )
    }

    /// The permits that remain are the unanswered requests of the units that no other worker has.
    private static func confirmation(
        _ fence: WorkerFence,
        _ units: [RestoredUnit]
    ) -> PostgresStatement {
        func values(_ value: (RestoredUnit) -> Int64) -> PostgresValue {
            .integers(units.map(value))
        }
        return PostgresStatement(
            """
            WITH kept AS (
                SELECT coalesce(sum(given.count), 0)::bigint AS count
                FROM unnest($4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
                    AS given (id, epoch, token, count)
                LEFT JOIN work_units u ON u.id = given.id
                WHERE u.id IS NULL OR u.epoch = given.epoch AND u.token = given.token)
            UPDATE fleet_workers w
            SET timeline = $2, commits = $3, returned = s.permits - kept.count
            FROM kept, fleet_slices s WHERE w.id = $1 AND s.worker = w.id
            """,
            [
                .worker(fence.worker), .number(fence.timeline.number), .number(fence.commits),
                values { Int64($0.unit.number) }, values { Int64($0.fence.epoch) },
                values { Int64(bitPattern: $0.fence.token.number) },
                values { Int64($0.unanswered) },
            ]
        )
    }
}
