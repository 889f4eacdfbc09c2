// The functions that tell what the server and its standbys have stored.
extension PostgresSchema {
    /// What every standby that may be promoted has stored, if the server has this place.
    ///
    /// A physical slot counts also while its standby is not connected. Backups do not count, because no
    /// server starts from them before they end. Nothing counts as stored while the server has no standby
    /// but had one a minute ago, or was promoted since: its standbys return, and the next failover would
    /// lose what only this server has. The function has the rights of its owner, because
    /// other roles do not see positions of standbys. It avoids the views over the same functions, whose
    /// plans take longer than the rest.
    static let standbys = """
        CREATE FUNCTION fleet_standbys(
            timeline bigint, place bigint, OUT safe bigint, OUT standbys bigint
        ) LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
        DECLARE
            origin pg_lsn := '0/0'; stored pg_lsn; is_expected boolean;
        BEGIN
            -- A standby that has not yet reported a position may have nothing.
            SELECT count(*), min(standby.stored) INTO standbys, stored FROM (
                SELECT coalesce(w.flush_lsn, origin) AS stored FROM pg_stat_get_wal_senders() w
                LEFT JOIN pg_get_replication_slots() s ON s.active_pid = w.pid
                WHERE w.state IN ('streaming', 'catchup') AND s.slot_type IS DISTINCT FROM 'logical'
                    AND NOT EXISTS (
                        SELECT 1 FROM pg_stat_get_activity(w.pid) a
                        WHERE a.application_name IN ('pg_basebackup', 'pg_receivewal'))
                UNION ALL
                SELECT restart_lsn FROM pg_get_replication_slots()
                WHERE slot_type = 'physical' AND NOT temporary) standby;
            safe := coalesce(stored, origin) - origin;
            IF standbys = 0 AND current_setting('synchronous_standby_names') = '' THEN
                SELECT w.timeline <> fleet_standbys.timeline OR w.expected > fleet_clock()
                INTO is_expected FROM fleet_writer w;
                -- Only what is there now: standbys may be added later.
                IF is_expected IS NOT TRUE THEN safe := place; END IF;
            END IF;
        END
        $$
        """

    /// What the server has, and what every standby that may be promoted has stored.
    ///
    /// It is called after each commit. Every role sees whether the server has connections and slots for
    /// standbys, so that a server without any needs neither other rights nor their positions.
    static func server(in schema: String) -> String {
        """
        CREATE FUNCTION fleet_server(
            OUT timeline bigint, OUT place bigint, OUT safe bigint, OUT standbys bigint
        ) LANGUAGE plpgsql AS $$
        DECLARE
            is_alone boolean;
        BEGIN
            timeline := \(schema).fleet_timeline();
            place := pg_current_wal_insert_lsn() - '0/0'::pg_lsn;
            SELECT w.timeline = fleet_server.timeline AND w.expected <= \(schema).fleet_clock()
                AND NOT EXISTS (SELECT FROM pg_stat_get_wal_senders())
                AND NOT EXISTS (SELECT FROM pg_get_replication_slots())
            INTO is_alone FROM \(schema).fleet_writer w;
            IF is_alone AND current_setting('synchronous_standby_names') = '' THEN
                safe := place;
                standbys := 0;
                RETURN;
            END IF;
            SELECT s.safe, s.standbys INTO safe, standbys
            FROM \(schema).fleet_standbys(timeline, place) s;
        END
        $$
        """
    }
}
