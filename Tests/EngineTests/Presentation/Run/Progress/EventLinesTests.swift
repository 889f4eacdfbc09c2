import CampaignModel
import FCMClient
import JSON
import RunControl
import State
import StoreConformance
import Testing
import Time

@testable import Presentation

struct EventLinesTests {
    private let screen = Screen()

    private func lines() -> EventLines {
        let screen = screen
        return EventLines(
            clock: .fixed(Instant(secondsSince1970: 1_800_000_000)),
            now: { screen.now },
            write: { screen.write($0) }
        )
    }

    private func line(_ event: String, _ members: String) -> String {
        #"{"format":"1.1","event":"\#(event)","at":"2027-01-15T08:00:00Z",\#(members)}"# + "\n"
    }

    @Test
    func `reports the start, progress at most once per second, and the end of a phase`() throws {
        let lines = lines()
        let phase = ApplyPhase.sending(try StoreFixtures.occurrence("sale"))
        lines.show(.began(phase, total: 100))
        screen.wait(0.9)
        lines.show(.progressed(by: 45))
        screen.wait(0.1)
        lines.show(.progressed(by: 4))
        lines.show(.progressed(by: 1, .refused))
        screen.wait(1)
        lines.show(.progressed(by: 50, .unknown))
        lines.show(.ended(phase))
        let names = #""phase":"sending","campaign":"sale","occurrence":"sale/once/1","total":100"#
        let half = #""counts":{"done":49,"refused":0,"unknown":0}"#
        let whole = #""counts":{"done":49,"refused":1,"unknown":50}"#
        #expect(
            screen.take() == [
                line("phase-began", names),
                line(
                    "phase-progressed",
                    #"\#(names),"done":49,\#(half),"per_second":49,"seconds_left":2"#
                ),
                line(
                    "phase-progressed",
                    #"\#(names),"done":100,\#(whole),"per_second":50,"seconds_left":0"#
                ),
                line(
                    "phase-ended",
                    #"\#(names),"done":100,\#(whole),"per_second":50,"seconds_left":0"#
                ),
            ]
        )
    }

    @Test func `counts sends that overlap separately`() throws {
        let lines = lines()
        let sale = try StoreFixtures.occurrence("sale")
        let tide = try StoreFixtures.occurrence("tide")
        lines.show(.began(.sending(sale), total: 100))
        screen.wait(0.5)
        lines.show(.began(.sending(tide), total: 10))
        screen.wait(0.5)
        lines.show(.progressed(by: 40, of: sale))
        lines.show(.progressed(by: 4, .refused, of: tide))
        lines.show(.ended(.sending(tide)))
        lines.show(.progressed(by: 60, of: sale))
        lines.show(.ended(.sending(sale)))
        let names = #""phase":"sending","campaign":"sale","occurrence":"sale/once/1","total":100"#
        let others = #""phase":"sending","campaign":"tide","occurrence":"tide/once/1","total":10"#
        let part = #""counts":{"done":40,"refused":0,"unknown":0}"#
        let whole = #""counts":{"done":100,"refused":0,"unknown":0}"#
        let refused = #""counts":{"done":0,"refused":4,"unknown":0}"#
        #expect(
            screen.take() == [
                line("phase-began", names),
                line("phase-began", others),
                line(
                    "phase-progressed",
                    #"\#(names),"done":40,\#(part),"per_second":40,"seconds_left":2"#
                ),
                line(
                    "phase-ended",
                    #"\#(others),"done":4,\#(refused),"per_second":8,"seconds_left":1"#
                ),
                line(
                    "phase-ended",
                    #"\#(names),"done":100,\#(whole),"per_second":100,"seconds_left":0"#
                ),
            ]
        )
    }

    @Test func `reports pauses, requests and the run`() throws {
        let lines = lines()
        lines.show(.runBegan(RunID(number: 7)))
        lines.show(.pausing(.fanOut, for: .milliseconds(1_500)))
        let sale = try StoreFixtures.occurrence("sale")
        lines.show(.pausing(.outage, for: .milliseconds(2_500), of: sale))
        lines.show(.tokenRenewed)
        lines.show(
            .request(
                RequestNote(
                    method: "POST",
                    place: "http://127.0.0.1/v1/projects/p/messages:send",
                    end: .status(200),
                    duration: .milliseconds(12)
                )
            )
        )
        #expect(
            screen.take() == [
                line("run-began", #""run":7"#),
                line("pausing", #""reason":"fan-out","seconds":1.5"#),
                line("pausing", #""reason":"outage","seconds":2.5,"occurrence":"sale/once/1""#),
                line("note", #""note":"token-renewed""#),
                line(
                    "request",
                    #""method":"POST","url":"http://127.0.0.1/v1/projects/p/messages:send","#
                        + #""status":200,"failure":null,"seconds":0.012"#
                ),
            ]
        )
    }

    @Test func `ends with a result, even if nothing was done`() {
        lines().end(nil, exitCode: 6, error: "refused by 1 guard")
        #expect(
            screen.take() == [
                line(
                    "result",
                    #""exit_code":6,"error":"refused by 1 guard","joined":0,"left":0,"refused":0,"#
                        + #""counts":{"accepted":0,"rejected":0,"unknown":0,"expired":0,"#
                        + #""suppressed":0,"cancelled":0,"not_sent":0},"not_begun":0,"too_late":0,"#
                        + #""handed_over":[],"cancelled":[],"held":[],"paused":[],"deferred":[],"#
                        + #""memberships_paused":0,"stopped":[],"waiting":[],"#
                        + #""refused_sends":[]"#
                )
            ]
        )
    }

    @Test func `the schema names every event and every pause`() {
        let names = EventJSON.schema.content["definitions"]?.objectValue?.members.map(\.key)
        #expect(names == EventName.allCases.map(\.rawValue))
        for reason in PauseReason.allCases {
            #expect(EventJSON.schema.text.contains(#""\#(reason.rawValue)""#))
        }
    }
}
