import Fleet
import FoundationEssentials
import PostgresClient
import StoreTables

// The writer, which divides occurrences, the quota and the permits.
extension FleetExchange {
    static func takeWriter(
        _ token: ClaimToken,
        former: ClaimFence?,
        lease: Duration
    ) -> Self {
        let take = PostgresStatement(
            """
            UPDATE fleet_writer
            SET epoch = epoch + 1, token = $1, lease = fleet_clock() + $4::bigint * interval '1 millisecond'
            WHERE id = 1 AND (fleet_is_over(lease) OR epoch = $2::bigint AND token = $3::bigint)
            RETURNING epoch, token
            """,
            [
                .token(token), former.map { .number($0.epoch) } ?? .null,
                former.map { .token($0.token) } ?? .null, .number(lease.milliseconds),
            ]
        )
        let check = PostgresStatement("SELECT fleet_check_place()")
        return Self([check, take]) { results, server in
            .writer(server, try results[1].rows.first?.fence(at: 0))
        }
    }

    /// The last statement of a transaction of the writer.
    ///
    /// `terms`: those that it renews.
    private static func pass(_ fence: ClaimFence, terms: WriterTerms? = nil) -> PostgresStatement {
        PostgresStatement(
            "SELECT fleet_writer_fence($1, $2, $3, $4)",
            [
                .number(fence.epoch), .token(fence.token),
                terms.map { .number($0.lease.milliseconds) } ?? .null,
                terms?.rest.map { .number($0.milliseconds) } ?? .null,
            ]
        )
    }

    static func divide(
        _ fence: ClaimFence,
        on timeline: Timeline?,
        _ grants: [Grant],
        terms: WriterTerms
    ) -> Self {
        let rows = PostgresStatement(
            """
            SELECT w.id, s.permits - w.returned,
                CASE WHEN s.asked > fleet_clock() - 0.75 * s.validity * interval '1 millisecond'
                    THEN s.request END,
                s.wanted, s.throttled, s.validity
            FROM fleet_workers w JOIN fleet_slices s ON s.worker = w.id ORDER BY w.number
            """
        )
        let uncut = PostgresStatement(
            """
            SELECT unit, count, first_unit, state = 1, unit_size FROM fleet_occurrences
            WHERE state < 2 ORDER BY due, priority DESC, unit
            """
        )
        let confirmed = PostgresStatement(
            "SELECT fleet_is_confirmed(), fleet_rest(w, NULL) FROM fleet_writer w WHERE id = 1"
        )
        let granting = grants.isEmpty ? [] : [grant(grants, on: timeline)]
        let statements = granting + [rows, uncut, confirmed, pass(fence, terms: terms)]
        return Self(statements) { results, server in
            let answers = Array(results.dropFirst(granting.count))
            let shared = PostgresRow(answers[2], 0)
            return .divided(
                DivisionAnswer(
                    server: server,
                    rows: try answers[0].rows.map { try DivisionAnswer.Row($0) },
                    uncut: try answers[1].rows.map { try UncutOccurrence($0) },
                    isConfirmed: try shared.decode(Bool.self, atIndex: 0),
                    rest: .milliseconds(try shared.number(at: 1))
                )
            )
        }
    }

    private static func grant(_ grants: [Grant], on timeline: Timeline?) -> PostgresStatement {
        func values(_ value: (Grant) -> Int) -> PostgresValue {
            .integers(grants.map { Int64(value($0)) })
        }
        return PostgresStatement(
            "SELECT fleet_grant($1, $2, $3, $4, $5, $6)",
            [
                .integers(grants.map { Int64(bitPattern: $0.worker.number) }),
                values(\.number), values(\.height), values(\.share), values(\.permits),
                timeline.map { .number($0.number) } ?? .null,
            ]
        )
    }

    static func readOmitted(_ fence: ClaimFence, _ occurrence: OccurrenceNumber) -> Self {
        let omitted = PostgresStatement(
            "SELECT omitted FROM fleet_occurrences WHERE unit = $1",
            [.number(occurrence.number)]
        )
        return Self([omitted, pass(fence)]) { results, server in
            // An occurrence that has left the fleet cannot be cut.
            let bytes = try results[0].rows.first?.decode(Data.self, atIndex: 0)
            return .omitted(server, OmittedBits.unpack(bytes ?? Data()))
        }
    }

    static func cut(
        _ fence: ClaimFence,
        _ occurrence: OccurrenceNumber,
        _ units: [WorkUnit]
    ) -> Self {
        let partition = PostgresStatement(
            "SELECT fleet_create_partition($1)",
            [.number(occurrence.number)]
        )
        let omitted = units.map { OmittedBits.pack($0.omitted) }
        var starts: [Int64] = []
        var bytes = Data()
        for own in omitted {
            starts.append(Int64(bytes.count + 1))
            bytes += own
        }
        // The occurrence may have been recalled and entrusted again since the writer read it. Its units then
        // have other numbers, and other requests are left out.
        let store = PostgresStatement(
            """
            WITH divided AS (
                UPDATE fleet_occurrences SET state = 1
                WHERE unit = $1 AND state = 0
                    AND first_unit <= ALL ($2::bigint[]) AND first_unit + count > ALL ($2::bigint[])
                RETURNING unit)
            INSERT INTO work_units (id, unit, first, count, omitted)
            SELECT part.id, divided.unit, part.first, part.count,
                substr($7::bytea, part.start::int, part.length::int)
            FROM divided,
                unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
                    AS part (id, first, count, start, length)
            """,
            [
                .number(occurrence.number), .integers(units.map { Int64($0.id.number) }),
                .integers(units.map { Int64($0.first) }), .integers(units.map { Int64($0.count) }),
                .integers(starts), .integers(omitted.map { Int64($0.count) }), .bytes(bytes),
            ]
        )
        return Self([partition, store, pass(fence)]) { _, server in .cut(server) }
    }

    static func open(_ fence: ClaimFence, _ occurrence: OccurrenceNumber) -> Self {
        let open = PostgresStatement(
            "UPDATE fleet_occurrences SET state = 2 WHERE unit = $1 AND state = 1",
            [.number(occurrence.number)]
        )
        return Self([open, pass(fence)]) { _, server in .opened(server) }
    }

    static func endWriter(_ fence: ClaimFence) -> Self {
        let end = PostgresStatement("UPDATE fleet_writer SET lease = '-infinity' WHERE id = 1")
        return Self([pass(fence), end]) { _, server in .writerEnded(server) }
    }
}

extension Duration {
    /// An interval of SQL.
    var interval: String { "interval '\(milliseconds) milliseconds'" }

    /// Rounded up.
    var milliseconds: Int { Int((self / .milliseconds(1)).rounded(.up)) }
}

extension DivisionAnswer.Row {
    fileprivate init(_ row: PostgresRow) throws {
        let number = try row.decode(Int?.self, atIndex: 2)
        let wanted = try row.number(at: 3)
        let isThrottled = try row.number(at: 4) == 1
        let validity = try row.number(at: 5)
        self.init(
            try row.worker(at: 0),
            permits: try row.number(at: 1),
            request: number.map {
                SliceRequest(
                    number: $0,
                    wanted: wanted,
                    isThrottled: isThrottled,
                    validity: .milliseconds(validity)
                )
            }
        )
    }
}

extension UncutOccurrence {
    fileprivate init(_ row: PostgresRow) throws {
        self.init(
            OccurrenceNumber(try row.number(at: 0)),
            count: try row.number(at: 1),
            firstUnit: try row.number(at: 2),
            isStored: try row.decode(Bool.self, atIndex: 3),
            sent: try row.decode(Int?.self, atIndex: 4)
        )
    }
}
