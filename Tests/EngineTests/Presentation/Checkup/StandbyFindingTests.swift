import Preflight
import Presentation
import State
import Testing

struct StandbyFindingTests {
    @Test(
        arguments: [
            (0, 0, false, CheckupFinding.Verdict.ok, "no standby is connected"),
            (2, 1, true, .ok, "2 standbys are connected, of which 1 can confirm commits"),
            (
                0, 0, true, .problem,
                "no standby is connected, but `synchronous_standby_names` is set: commits wait for one"
            ),
            (
                1, 0, true, .problem,
                "1 standby is connected, but `synchronous_standby_names` names none of them: "
                    + "commits wait for one"
            ),
            (
                1, nil, true, .ok,
                "1 standby is connected, and `synchronous_standby_names` is set; this role cannot see "
                    + "whether a standby is synchronous"
            ),
        ] as [(Int, Int?, Bool, CheckupFinding.Verdict, String)]
    )
    func `names the standbys`(
        connected: Int,
        synchronous: Int?,
        isRequired: Bool,
        verdict: CheckupFinding.Verdict,
        seen: String
    ) {
        let status = StandbyStatus(
            connected: connected,
            synchronous: synchronous,
            isRequired: isRequired
        )
        let finding = CheckupFinding.standbys(status)
        #expect(finding.check == .standbys)
        #expect(finding.verdict == verdict)
        #expect(finding.seen == seen)
    }

    /// Also if the role cannot see their states: the setting alone decides it.
    @Test(arguments: [0, nil] as [Int?])
    func `warns if no standby is synchronous`(synchronous: Int?) {
        let status = StandbyStatus(connected: 2, synchronous: synchronous, isRequired: false)
        let finding = CheckupFinding.standbys(status)
        let view = CheckupTextView(style: .plain)
        #expect(
            view.render([finding]) == """
                  warning  standbys     2 standbys are connected, and none is synchronous: a
                                        failover can lose commits, and then messages may be sent
                                        twice
                                        help: set `synchronous_standby_names` on the server,
                                        such as to `ANY 1 (*)`; with Patroni, set
                                        `synchronous_mode`

                """
        )
        let json = CheckupJSONView().render([finding], of: "production")
        #expect(json.contains("\"check\": \"standbys\""))
        #expect(json.contains("\"verdict\": \"warning\""))
        #expect(json.contains("\"warnings\": 1"))
    }
}
