import Fleet

// The tables of several workers (decision 75).
extension PostgresSchema {
    /// The workers, the work units, and what is recorded about their requests.
    ///
    /// Rows that are updated have free space in their pages, and no index contains a column that
    /// changes. Random numbers of 64 bits are stored as `bigint` with the same bits.
    ///
    /// - `fleet_workers`: changed by the ledger's lane. `worker` is another table: a row there is a
    ///   process that writes, and need not confirm a timeline. `number`: the order of registrations;
    ///   `suspect`: the timeline on which other workers missed its beats; `returned`: the permits that
    ///   it no longer has; `losses`: the number of its units that others took over or withdrew.
    /// - `fleet_slices`: requests and grants, in rows of their own, so that a division never waits for
    ///   the commit of a worker. `permits`: all that were ever granted. A worker has those that it did
    ///   not return. `validity`: how long its slice counts, in milliseconds.
    /// - `fleet_writer`: one row; `expected`: until when standbys that are not there may return, by the
    ///   server's clock; `timeline`: the one of the last division, NULL before the first one; `rest`: how long
    ///   slices may count after that division, in milliseconds.
    /// - `fleet_occurrences`: the occurrences that the fleet sends; `omitted`: a bit for each request,
    ///   empty if none is left out; `state`: 0 planned, 1 divided, 2 open to claims. Of occurrences with
    ///   the same `due`, the one with the higher `priority` is claimed first. `recalled`: workers give its
    ///   units back, for example because of the `problem` that one of them reported. `until`: nothing is
    ///   sent from then on, in nanoseconds since 1970. `ready`: only work units below this request are
    ///   claimed. `unit_size`: the number of requests of a work unit, NULL if it is the usual one. `terms`:
    ///   what workers need, as JSON.
    /// - `fleet_doubled`: for each work unit that two workers had after a failover, the `count` requests
    ///   from `first` on that may have been sent twice. They stay when the occurrence leaves the fleet.
    /// - `work_units`: their parts; `omitted` is stored out of line, because each update copies the row.
    /// - `attempt_log`: one byte for the outcome of each request from `first` on, 0 if the row has none.
    ///   For each attempt of a request, the greatest outcome counts.
    static let fleetTables = """
        CREATE TABLE fleet_workers (
            id bigint PRIMARY KEY,
            number bigint GENERATED ALWAYS AS IDENTITY,
            host text COLLATE "C" NOT NULL,
            process bigint NOT NULL,
            format bigint NOT NULL,
            synchronous bigint NOT NULL CHECK (synchronous IN (0, 1)),
            incarnation bigint NOT NULL DEFAULT 1,
            commits bigint NOT NULL DEFAULT 0,
            timeline bigint NOT NULL,
            suspect bigint,
            lease timestamptz NOT NULL,
            beat timestamptz NOT NULL,
            returned bigint NOT NULL DEFAULT 0,
            losses bigint NOT NULL DEFAULT 0
        ) WITH (fillfactor = 50)

        CREATE TABLE fleet_slices (
            worker bigint PRIMARY KEY REFERENCES fleet_workers ON DELETE CASCADE,
            request bigint,
            wanted bigint NOT NULL DEFAULT 0,
            validity bigint NOT NULL DEFAULT 0,
            throttled bigint NOT NULL DEFAULT 0 CHECK (throttled IN (0, 1)),
            asked timestamptz NOT NULL DEFAULT '-infinity',
            answered bigint NOT NULL DEFAULT 0,
            height bigint NOT NULL DEFAULT 0,
            share bigint NOT NULL DEFAULT \(Int64.max),
            permits bigint NOT NULL DEFAULT 0
        ) WITH (fillfactor = 50)

        CREATE TABLE fleet_writer (
            id bigint PRIMARY KEY CHECK (id = 1),
            epoch bigint NOT NULL,
            token bigint NOT NULL,
            lease timestamptz NOT NULL,
            timeline bigint,
            expected timestamptz NOT NULL DEFAULT '-infinity',
            rest bigint NOT NULL DEFAULT 0
        ) WITH (fillfactor = 50)

        INSERT INTO fleet_writer (id, epoch, token, lease) VALUES (1, 0, 0, '-infinity')

        CREATE TABLE fleet_occurrences (
            unit bigint PRIMARY KEY REFERENCES units,
            count bigint NOT NULL CHECK (count > 0),
            omitted bytea NOT NULL,
            first_unit bigint NOT NULL,
            due bigint NOT NULL,
            priority bigint NOT NULL,
            state bigint NOT NULL DEFAULT 0 CHECK (state IN (0, 1, 2)),
            held bigint NOT NULL DEFAULT 0 CHECK (held IN (0, 1)),
            recalled bigint NOT NULL DEFAULT 0 CHECK (recalled IN (0, 1)),
            problem text,
            until bigint,
            ready bigint NOT NULL DEFAULT \(Int64.max),
            unit_size bigint CHECK (unit_size > 0),
            terms text NOT NULL
        ) WITH (fillfactor = 50, toast_tuple_target = 128)

        CREATE TABLE work_units (
            id bigint PRIMARY KEY,
            unit bigint NOT NULL REFERENCES fleet_occurrences,
            first bigint NOT NULL CHECK (first >= 0),
            count bigint NOT NULL CHECK (count > 0),
            omitted bytea NOT NULL,
            finished bigint NOT NULL DEFAULT 0 CHECK (finished IN (0, 1)),
            owner bigint,
            epoch bigint NOT NULL DEFAULT 0,
            token bigint NOT NULL DEFAULT 0,
            released bigint NOT NULL DEFAULT 0 CHECK (released BETWEEN 0 AND count)
        ) WITH (fillfactor = 50, toast_tuple_target = 128)

        CREATE INDEX occurrence_work_units ON work_units (unit)

        CREATE TABLE fleet_doubled (
            unit bigint NOT NULL REFERENCES units,
            work_unit bigint NOT NULL,
            first bigint NOT NULL CHECK (first >= 0),
            count bigint NOT NULL CHECK (count > 0),
            PRIMARY KEY (unit, work_unit)
        )

        CREATE TABLE attempt_log (
            unit bigint NOT NULL,
            work_unit bigint NOT NULL,
            attempt bigint NOT NULL CHECK (attempt > 0),
            first bigint NOT NULL CHECK (first >= 0),
            outcomes bytea NOT NULL
        ) PARTITION BY RANGE (unit)

        CREATE INDEX work_unit_attempts ON attempt_log (work_unit)
        """
}
