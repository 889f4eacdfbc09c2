import Applying
import CampaignModel
import JSON
import Presentation
import State
import StoreConformance
import Testing
import Time

struct FleetStatusViewTests {
    private func text(
        _ overview: StateOverview,
        columns: Int? = nil,
        rates: SendRates? = nil
    ) async throws -> String {
        var pieces: [String] = []
        let view = StatusTextView(
            style: TextStyle(useColor: false, width: TextWidth(columns: columns)),
            now: SampleOverview.now,
            named: nil,
            rates: rates
        ) { pieces.append($0) }
        let local = try #require(EnvironmentID("local"))
        try await view.render(overview, of: local) { _, _ in }
        return pieces.joined()
    }

    @Test(arguments: [160, nil])
    func `shows workers, lag and what the fleet sends`(columns: Int?) async throws {
        let overview = try SampleFleet.overview(SampleFleet.occurrence(), doubled: 40)
        #expect(
            try await text(overview, columns: columns) == """
                State of local: lineage 0123456789abcdef0123456789abcdef, serial 14
                Lock: not held
                Lag: the oldest due request waits for 12 s

                Workers
                  host                                                 process  units  beat  \
                sends/min  permits
                  news-1                                                  4711     12   1 s  \
                    9,600      450
                  herald-production-7d9f8b6c5-x2v9q.news.example\\u{7}       12      4   9 s  \
                    9,600      450  no recent beat; timeline not confirmed; format 2
                  news-3                                                  4713      0   1 h  \
                      100        0  lease ended
                  2 workers: 19,200 sends per minute allowed

                In progress
                  going/once/1  105,000 registrations: 37,900 accepted, 100 rejected, 5,000 \
                suppressed, 3,200 in flight, 58,800 not sent
                      sending: 41,200 of 100,000 by 2 workers

                Possibly sent by two workers after a failover: may have arrived twice
                  sale/once/1  40 requests

                """
        )
    }

    @Test func `cuts the beginning of long hosts at 80 columns`() async throws {
        let overview = try SampleFleet.overview(SampleFleet.occurrence())
        let text = try await text(overview, columns: 80)
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(
            text.contains(
                """
                Workers
                  host                                  process  units  beat  sends/min  permits
                  news-1                                   4711     12   1 s      9,600      450
                  …n-7d9f8b6c5-x2v9q.news.example\\u{7}       12      4   9 s      9,600      450
                      no recent beat; timeline not confirmed; format 2
                  news-3                                   4713      0   1 h        100        0
                      lease ended
                  2 workers: 19,200 sends per minute allowed

                """
            )
        )
    }

    @Test func `shows measured rates`() async throws {
        let going = try StoreFixtures.occurrence("going")
        let other = try StoreFixtures.occurrence("other")
        let overview = try SampleFleet.overview(
            SampleFleet.occurrence(),
            workers: Array(SampleFleet.workers.prefix(1))
        )
        let rates = SendRates(perMinute: [going: 24_300, other: 700])
        #expect(
            try await text(overview, rates: rates) == """
                State of local: lineage 0123456789abcdef0123456789abcdef, serial 14
                Lock: not held
                Rate: 25,000 requests per minute
                Lag: the oldest due request waits for 12 s

                Workers
                  host    process  units  beat  sends/min  permits
                  news-1     4711     12   1 s      9,600      450
                  1 worker: 9,600 sends per minute allowed

                In progress
                  going/once/1  105,000 registrations: 37,900 accepted, 100 rejected, 5,000 \
                suppressed, 3,200 in flight, 58,800 not sent
                      sending: 41,200 of 100,000 by 2 workers, 24,300 per minute

                """
        )
    }

    @Test func `explains why the fleet does not send`() async throws {
        let waiting = try await text(SampleFleet.overview(SampleFleet.occurrence(workers: 0)))
        #expect(waiting.contains("\n      waiting for a worker: 41,200 of 100,000 sent\n"))
        let recalled = try SampleFleet.occurrence(
            isRecalled: true,
            problem: "refused: no\u{7} token"
        )
        let stopped = try await text(SampleFleet.overview(recalled))
        #expect(
            stopped.contains(
                """
                      problem: refused: no\\u{7} token
                      recalled: workers give it back to the service

                """
            )
        )
        let held = try await text(
            SampleFleet.overview(SampleFleet.occurrence(isRecalled: true, isHeld: true))
        )
        #expect(held.contains("\nHeld\n  going/once/1  105,000 registrations: "))
        #expect(!held.contains("recalled:"))
        #expect(
            held.contains(
                """
                      held: a worker is gone, and the failover of the database may have lost what \
                it sent last
                      some requests may have been sent and look unsent:
                """
            )
        )
    }

    @Test func `a pause is not a lag`() async throws {
        let everything = Pause(
            scope: .everything,
            since: SampleOverview.ago,
            user: "ann",
            host: "desk"
        )
        let paused = try SampleFleet.overview(SampleFleet.occurrence(), pause: everything)
        #expect(try await !text(paused).contains("Lag:"))
        let deferred = try SampleFleet.overview(SampleFleet.occurrence())
        #expect(deferred.oldestDue(at: SampleOverview.now)?.secondsSince1970 == 1_799_999_988)
        #expect(deferred.oldestDue(at: PlanScene.moment(-20).instant) == nil)
    }

    @Test func `a state without a fleet has neither workers nor lag`() async throws {
        let text = try await text(SampleOverview.make())
        for word in ["Workers", "Lag:", "Rate:", "sending:"] { #expect(!text.contains(word)) }
    }

    // MARK: JSON

    private func json(_ overview: StateOverview) async throws -> JSONValue {
        let view = StatusJSONView(now: SampleOverview.now, named: 10)
        let local = try #require(EnvironmentID("local"))
        let text = try await view.render(overview, of: local) { _, _ in }
        return try #require(JSONValue(parsing: text))
    }

    @Test func `the JSON status has the workers and the lag`() async throws {
        let status = try await json(SampleFleet.overview(SampleFleet.occurrence(), doubled: 40))
        #expect(status["lag_seconds"] == 12)
        let workers = status["fleet"]?["workers"]?.arrayValue ?? []
        #expect(workers.count == 3)
        #expect(
            workers.first == [
                "host": "news-1", "process": 4711, "format": 1, "beat_seconds": 1,
                "lease_ended": false, "timeline": "confirmed", "units": 12,
                "sends_per_minute": 9600, "permits": 450,
            ]
        )
        #expect(workers.map { $0["timeline"] } == ["confirmed", "awaited", "confirmed"])
        #expect(workers.map { $0["lease_ended"] } == [false, false, true])
        #expect(
            status["fleet"]?["possibly_doubled"] == [
                ["occurrence": "sale/once/1", "requests": 40]
            ]
        )
    }

    @Test func `the JSON status has what the fleet does with an occurrence`() async throws {
        let entrusted = try SampleFleet.occurrence(problem: "refused: no token")
        let occurrence = try await json(SampleFleet.overview(entrusted))["occurrences"]?
            .arrayValue?.first
        #expect(
            occurrence?["fleet"] == [
                "sent": 41200, "sendable": 100_000, "workers": 2,
                "units": ["free": 2, "owned": 6, "finished": 1], "recalled": false,
                "problem": "refused: no token", "held": false,
            ]
        )
        #expect(occurrence?["counts"]?["in_flight"] == 3200)
        #expect(occurrence?["counts"]?["not_sent"] == 58800)
    }

    @Test func `the JSON status of a file has an empty fleet`() async throws {
        let status = try await json(SampleOverview.make())
        #expect(status["fleet"] == ["workers": [], "possibly_doubled": []])
        #expect(status["lag_seconds"] == .null)
        let occurrences = status["occurrences"]?.arrayValue ?? []
        #expect(occurrences.allSatisfy { $0["fleet"] == nil })
    }
}
