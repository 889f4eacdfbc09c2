import CampaignModel
import Planning
import RateControl
import State
import Testing
import Time

@testable import Presentation

struct EffortWordingTests {
    private static let now = Instant(secondsSince1970: 1_800_000_000)

    private func effort(
        unknown: Int = 4_000,
        measured: Duration? = nil,
        rate: Double = 0,
        secondsAgo: Int64 = 60
    ) -> EffortWording {
        let moment = Instant(secondsSince1970: Self.now.secondsSince1970 - secondsAgo)
        let measurement = measured.map {
            TrafficMeasurement(of: .sends, roundTrip: $0, rate: rate, at: moment)
        }
        return EffortWording(
            traffic: PlannedTraffic(
                pace: .standard,
                open: OpenLimit(unknown: unknown),
                measurements: measurement.map { [$0] } ?? [],
                now: Self.now
            )
        )
    }

    @Test func `a few requests take one answer`() {
        #expect(effort().single(1) == ["1 request."])
        #expect(effort().single(3) == ["3 requests, about 1 s."])
    }

    @Test func `names the size of batches only if there are several`() {
        #expect(effort().changes([0, 1]) == ["1 request."])
        #expect(effort().changes([2, 1_000]) == ["2 requests, about 1 s."])
        #expect(
            effort().changes([0, 1_001]).first?
                .hasPrefix("2 requests of up to 1,000 registrations, about 1 s") == true
        )
        #expect(effort().changes([0, 0]).isEmpty)
    }

    @Test func `names the rise of the rate`() {
        // 1,000 per second, rising by 148 per second: 100,000 in 30.5 seconds.
        #expect(
            effort().single(100_000)
                == ["100,000 requests, about 31 s while the rate rises to 600,000 per minute."]
        )
    }

    @Test func `names the quota`() {
        // 327,250 in the first minute, then 9,900 per second.
        #expect(
            effort().single(1_000_000)
                == ["1,000,000 requests, about 2 min at up to 600,000 per minute."]
        )
    }

    @Test func `names max_unknown with the measured or assumed time of an answer`() {
        // 350 of 400 requests may be open: 3,500 per second after 17 seconds.
        let assumed = effort(unknown: 400).single(1_000_000)
        #expect(
            assumed == [
                "1,000,000 requests, about 5 min at up to 3,500 per second: max_unknown allows "
                    + "350 open requests, and an answer is assumed to take 100 ms."
            ]
        )
        let measured = effort(measured: .milliseconds(500)).single(1_000_000)
        #expect(
            measured == [
                "1,000,000 requests, about 3 min at up to 7,000 per second: max_unknown allows "
                    + "3,500 open requests, and an answer took 500 ms."
            ]
        )
    }

    @Test func `starts at the rate of the last ten minutes`() {
        func length(_ secondsAgo: Int64) -> [String] {
            effort(measured: .milliseconds(20), rate: 9_000, secondsAgo: secondsAgo)
                .single(100_000)
        }
        #expect(
            length(600)
                == ["100,000 requests, about 11 s while the rate rises to 600,000 per minute."]
        )
        #expect(
            length(601)
                == ["100,000 requests, about 31 s while the rate rises to 600,000 per minute."]
        )
    }
}
