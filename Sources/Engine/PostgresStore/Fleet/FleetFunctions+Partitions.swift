// The partitions of `attempt_log`. Each has the outcomes of 64 occurrences with numbers that follow each
// other. The functions have the
// rights of their owner, so that a worker needs no right to change tables. They wait for locks for a
// fifth of a second only, because statements of other workers queue behind them.
extension PostgresSchema {
    /// Creates the partition of an occurrence, unless it exists.
    ///
    /// It is attached, which does not wait for transactions that use other partitions.
    static let createPartition = """
        CREATE FUNCTION fleet_create_partition(its_unit bigint) RETURNS void
        LANGUAGE plpgsql SECURITY DEFINER
        SET search_path FROM CURRENT SET lock_timeout = '200ms' AS $$
        DECLARE
            part bigint := its_unit / 64; name text := 'attempt_log_' || part;
        BEGIN
            IF to_regclass(name) IS NOT NULL THEN RETURN; END IF;
            EXECUTE format('CREATE TABLE %I (LIKE attempt_log INCLUDING CONSTRAINTS)', name);
            EXECUTE format('ALTER TABLE attempt_log ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)',
                name, part * 64, part * 64 + 64);
        END
        $$
        """

    /// Drops the partitions before an occurrence whose occurrences have all left the fleet.
    ///
    /// Returns their number. A partition that another transaction uses stays until the next call.
    static let dropPartitions = """
        CREATE FUNCTION fleet_drop_partitions(before_unit bigint) RETURNS bigint
        LANGUAGE plpgsql SECURITY DEFINER
        SET search_path FROM CURRENT SET lock_timeout = '200ms' AS $$
        DECLARE
            part bigint; dropped bigint := 0;
        BEGIN
            FOR part IN
                SELECT substr(c.relname, 13)::bigint FROM pg_inherits i
                JOIN pg_class c ON c.oid = i.inhrelid
                WHERE i.inhparent = 'attempt_log'::regclass
            LOOP
                CONTINUE WHEN part >= before_unit / 64 OR EXISTS (
                    SELECT 1 FROM fleet_occurrences
                    WHERE unit >= part * 64 AND unit < part * 64 + 64);
                BEGIN
                    EXECUTE format('DROP TABLE %I', 'attempt_log_' || part);
                    dropped := dropped + 1;
                EXCEPTION WHEN lock_not_available THEN
                    EXIT;
                END;
            END LOOP;
            RETURN dropped;
        END
        $$
        """
}
