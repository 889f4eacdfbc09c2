import Fleet

// The functions that the statements of workers call.
//
// Each statement in a function of PL/pgSQL reads by a snapshot of its own. A claim therefore sees every
// outcome that was committed before it locked the unit.
//
// Locks have one order, so that no transaction waits for another one that waits for it: workers, work
// units, slices, occurrences, the writer. A transaction waits for the row of one worker only, its own; it
// skips the rows of others that are locked.
extension PostgresSchema {
    /// Every function, in the order of their creation.
    ///
    /// `schema`: the names in the functions that each commit calls contain it. Setting a search path first
    /// costs the server as much as two of their statements.
    static func fleetFunctions(in schema: String) -> [String] {
        [
            ownPath, begin, clock, timeline, isOver, inUse, standbys, server(in: schema),
            confirmed, pass(in: schema), commit(in: schema), nextChange(in: schema), rest,
            writerFence,
        ]
            + [restorationFence, beat, strikeOff, omits, isRecalled, makeUnknown, change, claim]
            + [claimedOutcomes, grant, withdraw, lateAnswer]
            + [createPartition, dropPartitions]
    }

    /// Functions with the rights of their owner keep this path: tables that another role creates
    /// temporarily must not replace those of the state.
    private static let ownPath =
        "SELECT set_config('search_path', current_schema() || ', pg_temp', true)"

    /// What holds for one transaction, because a pool of connections keeps no setting.
    private static let settings = """
        durability := set_config('synchronous_commit', durability, true);
            durability := set_config('statement_timeout', '4s', true);
            durability := set_config('lock_timeout', '2s', true);
            durability := set_config('idle_in_transaction_session_timeout', '5s', true);
        """

    /// The path for the statements that follow, because they name tables without their schema.
    private static let path = "place := set_config('search_path', place, true);"

    /// Begins a transaction.
    private static let begin = """
        CREATE FUNCTION fleet_begin(place text, durability text) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            \(settings)
            \(path)
        END
        $$
        """

    /// The server's clock, by which leases run.
    private static let clock = """
        CREATE FUNCTION fleet_clock() RETURNS timestamptz LANGUAGE sql VOLATILE
        AS $$ SELECT clock_timestamp() $$
        """

    /// The timeline of the write-ahead log, which `pg_control_checkpoint()` shows too late.
    private static let timeline = """
        CREATE FUNCTION fleet_timeline() RETURNS bigint LANGUAGE sql VOLATILE
        AS $$ SELECT ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint $$
        """

    /// A lease that ends too late was renewed before the clock jumped back.
    private static let isOver = """
        CREATE FUNCTION fleet_is_over(lease timestamptz) RETURNS boolean LANGUAGE sql VOLATILE
        AS $$ SELECT lease < fleet_clock()
            OR lease > fleet_clock() + \(LeaseTerms.lifetime.interval) $$
        """

    private static let inUse = """
        CREATE FUNCTION fleet_check_place() RETURNS void LANGUAGE plpgsql AS $$
        DECLARE place text;
        BEGIN
            SELECT moved INTO place FROM meta WHERE id = 1;
            IF place IS NOT NULL THEN
                RAISE EXCEPTION '%', place USING ERRCODE = 'HRD03';
            END IF;
        END
        $$
        """

    /// Whether every worker has confirmed the timeline, or cannot have sent what a failover lost.
    private static let confirmed = """
        CREATE FUNCTION fleet_is_confirmed() RETURNS boolean LANGUAGE plpgsql AS $$
        DECLARE actual bigint := fleet_timeline();
        BEGIN
            RETURN NOT EXISTS (
                SELECT 1 FROM fleet_workers WHERE timeline <> actual AND synchronous = 0
                    AND suspect IS DISTINCT FROM timeline);
        END
        $$
        """

    /// Checks the fence of a worker, and counts its commit and the permits that it returns.
    private static func passing(in schema: String) -> String {
        """
        SELECT moved INTO moved_to FROM \(schema).meta WHERE id = 1;
            IF moved_to IS NOT NULL THEN
                RAISE EXCEPTION '%', moved_to USING ERRCODE = 'HRD03';
            END IF;
            actual := \(schema).fleet_timeline();
            IF given > 0 THEN
                SELECT s.permits INTO granted FROM \(schema).fleet_slices s WHERE worker = me;
            END IF;
            UPDATE \(schema).fleet_workers SET commits = commits + 1,
                returned = greatest(returned, least(granted, returned + given))
            WHERE id = me AND incarnation = its_incarnation AND commits = its_commits
                AND timeline = its_timeline AND its_timeline = actual;
            IF NOT FOUND THEN
                RAISE EXCEPTION 'the worker is not current' USING ERRCODE = 'HRD01';
            END IF;
        """
    }

    /// Begins a transaction that counts as a commit of a worker.
    ///
    /// One call with the settings, because each statement is planned again in each transaction.
    private static func pass(in schema: String) -> String {
        """
        CREATE FUNCTION fleet_pass(
            place text, durability text,
            me bigint, its_incarnation bigint, its_commits bigint, its_timeline bigint, given bigint
        ) RETURNS void LANGUAGE plpgsql AS $$
        DECLARE
            granted bigint := 0; moved_to text; actual bigint;
        BEGIN
            \(settings)
            \(passing(in: schema))
            \(path)
        END
        $$
        """
    }

    /// The same with a change of one unit, as most commits have it; other changes and the commit follow.
    private static func commit(in schema: String) -> String {
        """
        CREATE FUNCTION fleet_commit(
            durability text,
            me bigint, its_incarnation bigint, its_commits bigint, its_timeline bigint, given bigint,
            \(changeParameters)
        ) RETURNS bigint LANGUAGE plpgsql AS $$
        DECLARE
            granted bigint := 0; moved_to text; actual bigint; its_unit bigint; place bigint;
        BEGIN
            \(settings)
            \(passing(in: schema))
            \(changeBody(in: schema))
        END
        $$
        """
    }

    /// Locks the row of a worker that restores units; the first statement of its transaction.
    ///
    /// The row need not have confirmed the timeline.
    private static let restorationFence = """
        CREATE FUNCTION fleet_restoration_fence(
            me bigint, its_incarnation bigint, its_timeline bigint
        ) RETURNS void LANGUAGE plpgsql AS $$
        DECLARE actual bigint := fleet_timeline();
        BEGIN
            PERFORM fleet_check_place();
            PERFORM 1 FROM fleet_workers
            WHERE id = me AND incarnation = its_incarnation AND its_timeline = actual FOR UPDATE;
            IF NOT FOUND THEN
                RAISE EXCEPTION 'the worker is not current' USING ERRCODE = 'HRD01';
            END IF;
        END
        $$
        """

    /// How long slices may count, in milliseconds: as a writer knows, or else as the last division stored.
    ///
    /// A failover may have lost divisions, also those of a writer after the one that knows.
    private static let rest = """
        CREATE FUNCTION fleet_rest(w fleet_writer, known bigint) RETURNS bigint LANGUAGE sql VOLATILE
        AS $$ SELECT greatest(coalesce(known, w.rest), CASE WHEN w.timeline <> fleet_timeline()
            THEN \(LeaseTerms.lostSlices.milliseconds) ELSE 0 END) $$
        """

    /// Locks the row of the writer, and renews its lease if one is given; the last statement of its
    /// transaction, because an earlier lock could block other writers.
    ///
    /// `its_rest`: how long slices may still count; NULL if the writer has not read that.
    ///
    /// A renewal also stores until when standbys are expected. The row is replicated, so that a promoted
    /// server knows that it had another timeline before. The expectation ends a minute later at most, also
    /// if the clock jumps back.
    private static let writerFence = """
        CREATE FUNCTION fleet_writer_fence(
            its_epoch bigint, its_token bigint, its_lease bigint, its_rest bigint
        ) RETURNS void LANGUAGE plpgsql AS $$
        DECLARE
            server record; moment timestamptz := fleet_clock();
            latest timestamptz := moment + \(LeaseTerms.standbyReturn.interval);
        BEGIN
            PERFORM fleet_check_place();
            PERFORM 1 FROM fleet_writer
            WHERE id = 1 AND epoch = its_epoch AND token = its_token FOR UPDATE;
            IF NOT FOUND THEN
                RAISE EXCEPTION 'another worker is the writer' USING ERRCODE = 'HRD01';
            END IF;
            IF its_lease IS NOT NULL THEN
                SELECT s.timeline, s.standbys INTO server FROM fleet_server() s;
                UPDATE fleet_writer w SET lease = moment + its_lease * interval '1 millisecond',
                    timeline = server.timeline,
                    rest = fleet_rest(w, its_rest),
                    expected = CASE
                        WHEN server.standbys > 0 OR w.timeline <> server.timeline THEN latest
                        ELSE least(w.expected, latest) END
                WHERE w.id = 1;
            END IF;
        END
        $$
        """

    // MARK: Workers

    /// Renews a lease, and marks other workers without a recent beat as suspects.
    private static let beat = """
        CREATE FUNCTION fleet_beat(me bigint, OUT its_incarnation bigint, OUT straggler bigint)
        LANGUAGE plpgsql AS $$
        DECLARE
            moment timestamptz := fleet_clock(); actual bigint := fleet_timeline();
        BEGIN
            UPDATE fleet_workers SET lease = moment + \(LeaseTerms.lifetime.interval), beat = moment
            WHERE id = me RETURNING incarnation INTO its_incarnation;
            UPDATE fleet_workers SET suspect = actual, incarnation = incarnation + 1
            WHERE id = ANY (ARRAY(
                SELECT id FROM fleet_workers
                WHERE id <> me AND suspect IS NULL
                    AND (beat < moment - \(LeaseTerms.suspicion.interval)
                        OR beat > moment + \(LeaseTerms.suspicion.interval))
                FOR UPDATE SKIP LOCKED));
            SELECT id INTO straggler FROM fleet_workers
            WHERE id <> me AND timeline <> actual AND fleet_is_over(lease) AND synchronous = 0
                AND suspect IS DISTINCT FROM timeline
            ORDER BY number LIMIT 1;
        END
        $$
        """

    /// Removes a worker that has not confirmed the timeline, and holds the occurrences that it may
    /// have sent.
    private static let strikeOff = """
        CREATE FUNCTION fleet_strike_off(target bigint) RETURNS void LANGUAGE plpgsql AS $$
        DECLARE
            actual bigint := fleet_timeline(); is_provable boolean;
        BEGIN
            DELETE FROM fleet_workers WHERE id = (
                SELECT id FROM fleet_workers
                WHERE id = target AND timeline <> actual AND fleet_is_over(lease)
                FOR UPDATE SKIP LOCKED)
            RETURNING synchronous = 1 OR suspect IS NOT DISTINCT FROM timeline INTO is_provable;
            IF NOT FOUND OR is_provable THEN RETURN; END IF;
            UPDATE fleet_occurrences SET held = 1 WHERE unit IN (
                SELECT u.unit FROM work_units u JOIN fleet_occurrences o ON o.unit = u.unit
                WHERE o.state = 2 AND u.finished = 0 AND NOT EXISTS (
                    SELECT 1 FROM fleet_workers w WHERE w.id = u.owner AND w.timeline = actual));
        END
        $$
        """
}
