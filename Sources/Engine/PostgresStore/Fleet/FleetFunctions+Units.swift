// The functions that claim units, and record outcomes of former owners.
extension PostgresSchema {
    static let omits = """
        CREATE FUNCTION fleet_omits(omitted bytea, request bigint) RETURNS boolean LANGUAGE sql IMMUTABLE
        AS $$ SELECT CASE WHEN request < length(omitted) * 8 THEN get_bit(omitted, request) = 1
            ELSE false END $$
        """

    /// Records the released requests of a locked unit that have no outcome as unknown.
    ///
    /// Returns their number.
    static let makeUnknown = """
        CREATE FUNCTION fleet_make_unknown(target bigint) RETURNS bigint LANGUAGE plpgsql AS $$
        DECLARE
            its_unit bigint; mark bigint; gaps bytea; made bigint;
        BEGIN
            -- A value that is stored out of line would be read again for each request.
            SELECT unit, released, omitted || ''::bytea INTO its_unit, mark, gaps
            FROM work_units WHERE id = target;
            IF mark = 0 THEN RETURN 0; END IF;
            WITH known AS (
                SELECT l.first + place AS request, l.attempt,
                    max(get_byte(l.outcomes, place)) AS outcome
                FROM attempt_log l CROSS JOIN generate_series(0, length(l.outcomes) - 1) place
                WHERE l.unit = its_unit AND l.work_unit = target
                    AND get_byte(l.outcomes, place) > 0
                GROUP BY 1, 2),
            latest AS (
                SELECT DISTINCT ON (request) request, attempt, outcome
                FROM known ORDER BY request, attempt DESC),
            unanswered AS (
                SELECT request, coalesce(attempt, 1) AS attempt
                FROM generate_series(0, mark - 1) request LEFT JOIN latest USING (request)
                WHERE coalesce(outcome, 1) = 1 AND NOT fleet_omits(gaps, request)),
            placed AS (
                SELECT request, attempt, request / 1000 AS part,
                    request - row_number() OVER (PARTITION BY attempt ORDER BY request) AS run
                FROM unanswered),
            recorded AS (
                INSERT INTO attempt_log (unit, work_unit, attempt, first, outcomes)
                SELECT its_unit, target, attempt, min(request),
                    decode(repeat('02', count(*)::int), 'hex')
                FROM placed GROUP BY attempt, part, run
                RETURNING length(outcomes) AS size)
            SELECT coalesce(sum(size), 0) INTO made FROM recorded;
            RETURN made;
        END
        $$
        """

    /// The rest of the update of a unit whose claim is current.
    static let changing = """
        released = greatest(u.released, mark),
                finished = CASE WHEN ending = 1 THEN 1 ELSE u.finished END,
                owner = CASE WHEN ending = 0 THEN u.owner END
            WHERE u.id = target AND u.epoch = its_epoch AND u.token = its_token
        """

    /// The rest of a query for the rows of the log that a change appends.
    static let changedBlocks = """
        target, block.attempt, block.first,
                    substr(records, block.start::int, block.length::int)
                FROM unnest(attempts, firsts, starts, lengths)
                    AS block (attempt, first, start, length)
        """

    /// What a function needs to change a unit and append outcomes.
    static let changeParameters = """
        target bigint, its_epoch bigint, its_token bigint, mark bigint, ending bigint,
            attempts bigint[], firsts bigint[], starts bigint[], lengths bigint[], records bytea
        """

    /// The rest of a function that changes a unit whose claim is current, and appends outcomes.
    ///
    /// It returns a place in the log after the last claim of the unit, negative if the unit is not changed.
    /// Outcomes follow from the changed row, so that a lost fence also loses them.
    static func changeBody(in schema: String) -> String {
        """
        UPDATE \(schema).work_units u SET \(changing)
            RETURNING u.unit INTO its_unit;
            IF its_unit IS NOT NULL AND cardinality(attempts) > 0 THEN
                INSERT INTO \(schema).attempt_log (unit, work_unit, attempt, first, outcomes)
                SELECT its_unit, \(changedBlocks);
            END IF;
            place := pg_current_wal_insert_lsn() - '0/0'::pg_lsn;
            RETURN CASE WHEN its_unit IS NULL THEN -place ELSE place END;
        """
    }

    /// Changes another unit after `fleet_commit`.
    static func nextChange(in schema: String) -> String {
        """
        CREATE FUNCTION fleet_change_next(\(changeParameters)) RETURNS bigint LANGUAGE plpgsql AS $$
        DECLARE
            its_unit bigint; place bigint;
        BEGIN
            \(changeBody(in: schema))
        END
        $$
        """
    }

    /// Changes a unit whose claim is current, and appends outcomes; the row is for their notes.
    ///
    /// Outcomes follow from the changed row, so that a lost fence also loses them. A function, because
    /// its plans are kept. Returns the unit if it is changed.
    static let change = """
        CREATE FUNCTION fleet_change(
            \(changeParameters)
        ) RETURNS TABLE (unit bigint, id bigint, first bigint) LANGUAGE plpgsql AS $$
        BEGIN
            UPDATE work_units u SET \(changing)
            RETURNING u.unit, u.id, u.first INTO unit, id, first;
            IF NOT FOUND THEN RETURN; END IF;
            IF cardinality(attempts) > 0 THEN
                INSERT INTO attempt_log (unit, work_unit, attempt, first, outcomes)
                SELECT fleet_change.unit, \(changedBlocks);
            END IF;
            RETURN NEXT;
        END
        $$
        """

    /// Makes the released requests of a locked unit unknown, and takes it from a worker whose lease ended.
    ///
    /// That worker may still be there, for example after a jump of the clock. With its next request for a slice
    /// it reads that it has lost a unit.
    private static let taking = """
        opened := fleet_make_unknown(work.id);
                IF work.owner = ANY (gone) THEN
                    UPDATE fleet_workers SET losses = losses + 1, returned = greatest(
                        returned, least(s.permits, returned + opened))
                    FROM fleet_slices s WHERE s.worker = id AND id = work.owner;
                END IF;
        """

    /// Claims a unit for each token, but none of its own, and removes workers whose lease ended and which have no unit.
    ///
    /// It returns a place in the log after the former claims of the units.
    static let claim = """
        CREATE FUNCTION fleet_claim(me bigint, tokens bigint[]) RETURNS bigint LANGUAGE plpgsql AS $$
        DECLARE
            gone bigint[]; work record; place int := 0; opened bigint;
        BEGIN
            IF NOT fleet_is_confirmed() THEN RETURN pg_current_wal_insert_lsn() - '0/0'::pg_lsn; END IF;
            gone := ARRAY(
                SELECT id FROM fleet_workers
                WHERE id <> me AND fleet_is_over(lease) FOR UPDATE SKIP LOCKED);
            FOR work IN
                SELECT u.id, u.owner FROM work_units u JOIN fleet_occurrences o ON o.unit = u.unit
                WHERE o.state = 2 AND o.held = 0 AND u.finished = 0 AND u.first + u.count <= o.ready
                    AND NOT fleet_is_recalled(o)
                    AND (u.owner IS NULL OR u.owner = ANY (gone)
                        OR NOT EXISTS (SELECT 1 FROM fleet_workers w WHERE w.id = u.owner))
                ORDER BY o.due, o.priority DESC, o.unit, u.id LIMIT cardinality(tokens) FOR UPDATE OF u SKIP LOCKED
            LOOP
                place := place + 1;
                \(taking)
                UPDATE work_units SET owner = me, epoch = epoch + 1, token = tokens[place]
                WHERE id = work.id;
            END LOOP;
            DELETE FROM fleet_workers w
            WHERE (w.id = me OR w.id = ANY (gone)) AND fleet_is_over(w.lease)
                AND NOT EXISTS (SELECT 1 FROM work_units u WHERE u.owner = w.id AND u.finished = 0);
            RETURN pg_current_wal_insert_lsn() - '0/0'::pg_lsn;
        END
        $$
        """

    /// The outcomes of the units that tokens claimed.
    ///
    /// A function, because its plans are kept: planning them takes longer than a claim. The log is read unit
    /// by unit, because a plan for a join would read all of it. A unit without released requests has no
    /// outcomes.
    static let claimedOutcomes = """
        CREATE FUNCTION fleet_claimed_outcomes(me bigint, tokens bigint[])
        RETURNS TABLE (work_unit bigint, attempt bigint, first bigint, outcomes bytea) LANGUAGE plpgsql
        AS $$
        DECLARE
            work record;
        BEGIN
            FOR work IN
                SELECT u.unit, u.id FROM work_units u
                WHERE u.owner = me AND u.token = ANY (tokens) AND u.finished = 0 AND u.released > 0
            LOOP
                RETURN QUERY
                    SELECT l.work_unit, l.attempt, l.first, l.outcomes FROM attempt_log l
                    WHERE l.unit = work.unit AND l.work_unit = work.id;
            END LOOP;
        END
        $$
        """

    /// Whether workers give the units of an occurrence back.
    static let isRecalled = """
        CREATE FUNCTION fleet_is_recalled(o fleet_occurrences) RETURNS boolean LANGUAGE sql VOLATILE
        AS $$ SELECT o.recalled = 1 OR coalesce(
            o.until <= (extract(epoch FROM fleet_clock()) * 1000000000)::bigint, false) $$
        """

    /// Finishes the units of a recalled occurrence that no living worker has.
    ///
    /// Their released requests without an outcome become unknown. The new fence keeps former owners out.
    static let withdraw = """
        CREATE FUNCTION fleet_withdraw(its_unit bigint, its_token bigint) RETURNS void LANGUAGE plpgsql
        AS $$
        DECLARE
            gone bigint[]; work record; opened bigint;
        BEGIN
            IF NOT fleet_is_confirmed() THEN RETURN; END IF;
            gone := ARRAY(
                SELECT id FROM fleet_workers WHERE fleet_is_over(lease) FOR UPDATE SKIP LOCKED);
            FOR work IN
                SELECT u.id, u.owner FROM work_units u
                WHERE u.unit = its_unit AND u.finished = 0
                    AND (u.owner IS NULL OR u.owner = ANY (gone)
                        OR NOT EXISTS (SELECT 1 FROM fleet_workers w WHERE w.id = u.owner))
                ORDER BY u.id FOR UPDATE OF u SKIP LOCKED
            LOOP
                \(taking)
                UPDATE work_units SET owner = NULL, finished = 1, epoch = epoch + 1, token = its_token
                WHERE id = work.id;
            END LOOP;
        END
        $$
        """

    /// Records the answer of a former owner, if the attempt is the last one and has no answer.
    ///
    /// An owner still expects the answers to what it released. Returns the unit if it is recorded.
    static let lateAnswer = """
        CREATE FUNCTION fleet_add_late_answer(
            target bigint, its_request bigint, its_attempt bigint, its_outcome bigint
        ) RETURNS TABLE (unit bigint, id bigint, first bigint) LANGUAGE plpgsql AS $$
        DECLARE
            work work_units; last_attempt bigint; last_outcome bigint;
        BEGIN
            SELECT u.* INTO work FROM work_units u
            WHERE u.id = target AND u.finished = 0 FOR UPDATE;
            IF NOT FOUND THEN RETURN; END IF;
            SELECT l.attempt, max(get_byte(l.outcomes, (its_request - l.first)::int))
            INTO last_attempt, last_outcome
            FROM attempt_log l
            WHERE l.unit = work.unit AND l.work_unit = target AND l.first <= its_request
                AND its_request < l.first + length(l.outcomes)
                AND get_byte(l.outcomes, (its_request - l.first)::int) > 0
            GROUP BY l.attempt ORDER BY l.attempt DESC LIMIT 1;
            -- The mark releases requests that have no row.
            IF last_attempt IS NULL AND its_request < work.released
                AND NOT fleet_omits(work.omitted, its_request)
            THEN
                last_attempt := 1;
                last_outcome := 1;
            END IF;
            IF last_attempt = its_attempt
                AND (last_outcome = 2 OR last_outcome = 1 AND work.owner IS NULL)
            THEN
                INSERT INTO attempt_log (unit, work_unit, attempt, first, outcomes)
                VALUES (work.unit, target, its_attempt, its_request,
                    set_byte('\\x00'::bytea, 0, its_outcome::int));
                RETURN QUERY SELECT work.unit, work.id, work.first;
            END IF;
        END
        $$
        """

    /// Stores what a division grants.
    ///
    /// The slices are locked in the order of the workers' numbers. A function, because its plan is kept.
    static let grant = """
        CREATE FUNCTION fleet_grant(
            workers bigint[], numbers bigint[], heights bigint[], shares bigint[], permitted bigint[],
            its_timeline bigint
        ) RETURNS void LANGUAGE plpgsql AS $$
        DECLARE
            is_allowed boolean;
        BEGIN
            PERFORM 1 FROM fleet_slices WHERE worker = ANY (workers) ORDER BY worker FOR UPDATE;
            is_allowed := coalesce(its_timeline = fleet_timeline(), false) AND fleet_is_confirmed();
            UPDATE fleet_slices s SET answered = given.number, height = given.height,
                share = given.share,
                permits = s.permits + CASE WHEN is_allowed THEN given.permits ELSE 0 END
            FROM unnest(workers, numbers, heights, shares, permitted)
                AS given (worker, number, height, share, permits)
            WHERE s.worker = given.worker;
        END
        $$
        """
}
