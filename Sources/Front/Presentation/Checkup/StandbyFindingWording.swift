package import Preflight
package import State

/// The finding of `herald doctor` about the standbys of a state's server.
extension CheckupFinding {
    private static let setting = "`synchronous_standby_names`"

    /// A single server cannot fail over, so that it needs no advice.
    package static func standbys(_ status: StandbyStatus) -> CheckupFinding {
        let count = status.connected
        let connected = count.counting("standby") + (count == 1 ? " is" : " are") + " connected"
        switch (status.isRequired, count, status.synchronous) {
        case (false, 0, _): return .ok(.standbys, seen: "no standby is connected")
        case (true, 0, _):
            return CheckupFinding(
                .standbys,
                verdict: .problem,
                seen: "no standby is connected, but \(setting) is set: commits wait for one",
                wayOut: "start a standby, or empty \(setting) on the server"
            )
        case (false, _, _):
            return CheckupFinding(
                .standbys,
                verdict: .warning,
                seen:
                    "\(connected), and none is synchronous: a failover can lose commits, and then "
                    + "messages may be sent twice",
                wayOut: "set \(setting) on the server, such as to `ANY 1 (*)`; with Patroni, set "
                    + "`synchronous_mode`"
            )
        case (true, _, nil):
            return .ok(
                .standbys,
                seen: "\(connected), and \(setting) is set; this role cannot see whether a standby "
                    + "is synchronous",
                wayOut: "to check it, grant `pg_read_all_stats` to the role"
            )
        case (true, _, 0?):
            return CheckupFinding(
                .standbys,
                verdict: .problem,
                seen: "\(connected), but \(setting) names none of them: commits wait for one",
                wayOut: "compare the setting with `application_name` in `pg_stat_replication`"
            )
        case (true, _, let synchronous?):
            return .ok(.standbys, seen: "\(connected), of which \(synchronous) can confirm commits")
        }
    }
}
