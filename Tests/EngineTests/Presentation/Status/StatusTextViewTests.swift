import Applying
import CampaignModel
import JSON
import Presentation
import State
import StoreConformance
import Synchronization
import Testing
import Time

struct StatusTextViewTests {
    private func text(
        _ overview: StateOverview,
        named: Int? = 10,
        useColor: Bool = false,
        columns: Int? = nil
    ) async throws -> String {
        var pieces: [String] = []
        let view = StatusTextView(
            style: TextStyle(useColor: useColor, width: TextWidth(columns: columns)),
            now: SampleOverview.now,
            named: named
        ) { pieces.append($0) }
        let local = try #require(EnvironmentID("local"))
        try await view.render(overview, of: local, unknowns: SampleOverview.unknowns)
        return pieces.joined()
    }

    @Test func `shows everything, with instructions`() async throws {
        #expect(try await text(SampleOverview.make(), named: 2) == Self.everything)
    }

    @Test(arguments: [120, 160])
    func `shows the same on a wide terminal`(columns: Int) async throws {
        let text = try await text(SampleOverview.make(), named: 2, columns: columns)
        #expect(text == Self.everything)
    }

    @Test func `folds records at 80 columns`() async throws {
        let text = try await text(SampleOverview.make(), named: 2, columns: 80)
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(
            text.contains(
                """
                Interrupted; the next apply resumes
                  going/once/1  3,000 registrations: 1,000 accepted, 64 unknown, 1,936 not sent
                      paused

                """
            )
        )
        #expect(
            text.contains(
                """
                      resolve the unknown outcomes with
                          `herald resolve going/once/1 sent|resend|drop`

                """
            )
        )
    }

    @Test func `folds records at 60 columns`() async throws {
        let text = try await text(SampleOverview.make(), named: 2, columns: 60)
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 60 })
        #expect(
            text.contains(
                """
                Paused: going, by ann on \\u{7}desk, 5 min ago; resume with
                    `herald resume going`

                """
            )
        )
    }

    @Test func `requests that wait for an answer are in flight, not unknown`() async throws {
        let text = try await text(SampleOverview.make(writer: .somebody(StoreFixtures.worker)))
        #expect(
            text.contains(
                """
                Lock: held by `apply` by ada on desk, process 4711, since 2027-01-15T08:00:00Z, just now
                """
            )
        )
        #expect(
            text.contains(
                """
                In progress
                  going/once/1  3,000 registrations: 1,000 accepted, 64 in flight, 1,936 not sent  \
                paused

                """
            )
        )
        #expect(text.contains("Requested; the run with the lock performs it\n"))
    }

    @Test func `names every unknown request if there is no limit`() async throws {
        let text = try await text(SampleOverview.make(), named: nil)
        #expect(text.split(separator: "\n").count { $0.hasPrefix("      unknown  ") } == 66)
        #expect(!text.contains("--all"))
    }

    @Test func `reports a writer that is not identified`() async throws {
        let text = try await text(SampleOverview.make(writer: .somebody(nil)))
        #expect(text.contains("Lock: held by an unknown process\n"))
    }

    @Test func `names the next step for refused joins and expired sends`() async throws {
        let scope = try StoreFixtures.scope("folk", "tides")
        let overview = StateOverview(
            identity: try SampleOverview.make().identity,
            writer: .nobody,
            pauses: [],
            resolutions: [],
            occurrences: [],
            settled: SettledOccurrences(
                finished: 1,
                cancelled: 0,
                expired: 2,
                compacted: 0,
                repeated: 0
            ),
            memberships: [
                MembershipSummary(
                    audience: scope.audience,
                    topic: scope.topic,
                    counts: [.joined: 4, .refused: 3_400]
                )
            ],
            deadCount: 0
        )
        let text = try await text(overview)
        #expect(
            text.contains(
                """
                Ended: 1 finished, 2 expired
                  expired: too late to be sent; set a later time, or raise `revision`

                """
            )
        )
        #expect(
            text.contains(
                """
                  folk in tides  4 joined, 3,400 refused
                      retry refused joins with `herald registrations retry folk`

                """
            )
        )
    }

    /// A scheduled send and the rest of a list, both deferred for 83,066 s.
    private func deferred() throws -> StateOverview {
        let full = try SampleOverview.make()
        let kept = full.occurrences.filter { ["later", "going"].contains($0.id.campaign.rawValue) }
        return StateOverview(
            identity: full.identity,
            writer: .nobody,
            pauses: [],
            resolutions: [],
            occurrences: kept.map { occurrence in
                var occurrence = occurrence
                occurrence.deferredUntil = PlanScene.moment(83_066)
                return occurrence
            },
            settled: SettledOccurrences([]),
            memberships: [],
            deadCount: 0
        )
    }

    @Test func `shows until when quiet hours defer sends`() async throws {
        let text = try await text(deferred(), named: 0)
        let time = "2027-01-16 07:04:26 UTC (2027-01-16T07:04:26Z, in 23 h)"
        #expect(
            text.contains(
                """
                Interrupted by quiet hours
                  going/once/1  3,000 registrations: 1,000 accepted, 64 unknown, 1,936 not sent; \
                the rest is deferred until \(time)

                """
            )
        )
        #expect(text.contains("\nScheduled\n  later/once/1  deferred until \(time)\n"))
        #expect(!text.contains("the next apply resumes"))
    }

    @Test func `the JSON status has the end of a deferral`() async throws {
        let local = try #require(EnvironmentID("local"))
        let view = StatusJSONView(now: SampleOverview.now, named: 0)
        let deferred = try await view.render(
            deferred(),
            of: local,
            unknowns: SampleOverview.unknowns
        )
        let ends = try #require(JSONValue(stored: deferred))["occurrences"]?.arrayValue?
            .map { $0["deferred_until"] }
        #expect(ends == ["2027-01-16T07:04:26Z", "2027-01-16T07:04:26Z"])
        let other = try await view.render(
            SampleOverview.make(),
            of: local,
            unknowns: SampleOverview.unknowns
        )
        #expect(!other.contains("deferred_until"))
    }

    @Test func `names the runners of the last minutes, otherwise the last one`() async throws {
        let running = try await text(
            SampleRunners.overview(
                SampleRunners.runner(7, seen: 20, readsLists: true),
                SampleRunners.runner(8, seen: 90),
                SampleRunners.runner(9, seen: 900)
            )
        )
        #expect(
            running.contains(
                """
                Runner: `herald run` on \\u{7}desk, process 7, last seen 20 s ago, reads lists
                Runner: `herald run` on \\u{7}desk, process 8, last seen 90 s ago

                """
            )
        )
        #expect(!running.contains("process 9"))
        let over = try await text(
            SampleRunners.overview(
                SampleRunners.runner(7, seen: 7_200),
                SampleRunners.runner(8, seen: 9_000)
            )
        )
        #expect(over.contains("Runner: `herald run` on \\u{7}desk, process 7, last seen 2 h ago\n"))
        #expect(!over.contains("process 8"))
        #expect(try await !text(SampleRunners.overview()).contains("Runner"))
    }

    @Test func `names standbys after the services`() async throws {
        let text = try await text(
            SampleRunners.overview(
                SampleRunners.runner(7, seen: 3, isStandby: true),
                SampleRunners.runner(8, seen: 40),
                SampleRunners.runner(9, seen: 1_501, isStandby: true)
            )
        )
        #expect(
            text.contains(
                """
                Runner: `herald run` on \\u{7}desk, process 8, last seen 40 s ago
                Standby: `herald run` on \\u{7}desk, process 7, last seen 3 s ago

                """
            )
        )
        #expect(!text.contains("process 9"))
    }

    @Test func `reports a state without sends`() async throws {
        let full = try SampleOverview.make()
        let empty = StateOverview(
            identity: full.identity,
            writer: .nobody,
            pauses: [],
            resolutions: [],
            occurrences: [],
            settled: SettledOccurrences([]),
            memberships: [],
            deadCount: 0
        )
        #expect(
            try await text(empty) == """
                State of local: lineage 0123456789abcdef0123456789abcdef, serial 14
                Lock: not held

                Nothing was sent or scheduled yet.

                """
        )
    }

    private static let everything = """
        State of local: lineage 0123456789abcdef0123456789abcdef, serial 14
        Lock: not held
        Paused: going, by ann on \\u{7}desk, 5 min ago; resume with `herald resume going`

        Interrupted; the next apply resumes
          going/once/1  3,000 registrations: 1,000 accepted, 64 unknown, 1,936 not sent  paused
              1 request repeated under policy: may have arrived twice
              unknown  0000000000000000  503\\u{1B}[2J
              unknown  0000000000000001  503\\u{1B}[2J
              … and 62 more; --all shows them
              resolve the unknown outcomes with `herald resolve going/once/1 sent|resend|drop`

        Stopped at an unknown outcome
          halted/once/1  topic tides: 1 unknown
              unknown  503\\u{1B}[2J
              resolve the unknown outcomes with `herald resolve halted/once/1 sent|resend|drop`

        Held
          held/once/1  1,500 registrations: 1,000 rejected, 500 not sent
              held: most of the first registrations were dead or of another project
              if project and list are right, run \
        `herald registrations check LIST`, or write `acknowledge: { dead: SHARE, … }`
              resume it with `herald resolve held/once/1 resend`, or remove the campaign to give it up

        Ended with unknown outcomes
          asked/once/1  2 registrations: 1 accepted, 1 unknown
              unknown  0000000000000000  503\\u{1B}[2J

        Scheduled
          later/once/1  2027-01-15 11:00 UTC (2027-01-15T11:00:00Z, in 3 h)

        Ended: 1 finished, 1 cancelled
          2 requests repeated under policy: may have arrived twice

        Requested; the next apply performs it
          asked/once/1  resend of 1 unknown request, by bo on desk, 5 min ago

        Memberships
          folk in tides  1,200 joined, 2 external, 1 opted out

        Dead: 3 registrations unregistered at FCM

        """
}

struct StatusJSONViewTests {
    private func json(_ overview: StateOverview?, named: Int? = 10) async throws -> JSONValue {
        let view = StatusJSONView(now: SampleOverview.now, named: named)
        let local = try #require(EnvironmentID("local"))
        let text = try await view.render(overview, of: local, unknowns: SampleOverview.unknowns)
        #expect(text.hasSuffix("}\n"))
        return try #require(JSONValue(parsing: text))
    }

    @Test func `lists all runners`() async throws {
        let status = try await json(
            SampleRunners.overview(SampleRunners.runner(7, seen: 20, readsLists: true))
        )
        #expect(
            status["runners"] == [
                [
                    "command": "herald run", "host": "\u{7}desk", "process": 7,
                    "since": "2027-01-15T07:55:00Z", "last_seen": "2027-01-15T07:59:40Z",
                    "reads_lists": true, "standby": false,
                ]
            ]
        )
    }

    @Test func `has every occurrence with counts that add up to its size`() async throws {
        let occurrences = try await json(SampleOverview.make())["occurrences"]?.arrayValue ?? []
        #expect(
            occurrences.map { $0["phase"]?.stringValue } == [
                "finished", "finished", "under_way", "cancelled", "stopped", "held", "scheduled",
            ]
        )
        for occurrence in occurrences.dropLast() {
            let counts = occurrence["counts"]?.objectValue?.members.compactMap {
                $0.value.integerValue
            }
            #expect(counts?.count == 8)
            #expect(counts?.reduce(0, +) == occurrence["requests"]?.integerValue)
        }
    }

    @Test func `names unknown requests, and counts the omitted ones`() async throws {
        let occurrences = try await json(SampleOverview.make(), named: 2)["occurrences"]?.arrayValue
        #expect(
            occurrences?[2]["unknown"] == [
                ["registration": "0000000000000000", "reason": "503\u{1B}[2J"],
                ["registration": "0000000000000001", "reason": "503\u{1B}[2J"],
            ]
        )
        #expect(occurrences?[2]["unknown_left_out"] == 62)
        #expect(occurrences?[2]["paused"] == true)
        #expect(
            occurrences?[4]["unknown"] == [["registration": .null, "reason": "503\u{1B}[2J"]]
        )
        #expect(occurrences?[5]["hold"] == "mostly-dead")
    }

    @Test func `names the writer, the author of a pause, and requested resolutions`() async throws {
        let json = try await json(SampleOverview.make(writer: .somebody(StoreFixtures.worker)))
        #expect(
            json["writer"] == [
                "command": "apply", "user": "ada", "host": "desk", "process": 4711,
                "since": "2027-01-15T08:00:00Z",
            ]
        )
        #expect(
            json["pauses"] == [
                [
                    "campaign": "going", "since": "2027-01-15T07:55:00Z", "user": "ann",
                    "host": "\u{7}desk",
                ]
            ]
        )
        #expect(
            json["resolutions"] == [
                [
                    "occurrence": "asked/once/1", "resolution": "resend", "unknown": 1,
                    "user": "bo", "host": "desk", "at": "2027-01-15T07:55:00Z",
                ]
            ]
        )
        #expect(
            json["memberships"]?.arrayValue?[0]["counts"] == [
                "joining": 0, "joined": 1200, "leaving": 0, "refused": 0, "foreign": 2,
                "opted_out": 1,
            ]
        )
        #expect(json["dead_registrations"] == 3)
        #expect(try await self.json(SampleOverview.make())["writer"] == .null)
    }

    @Test func `a missing state is null`() async throws {
        #expect(
            try await json(nil) == [
                "format_version": "1.1", "environment": "local", "now": "2027-01-15T08:00:00Z",
                "state": .null,
            ]
        )
    }
}

/// States whose runners were seen at different times.
private enum SampleRunners {
    static func overview(_ runners: Runner...) throws -> StateOverview {
        StateOverview(
            identity: try SampleOverview.make().identity,
            writer: .nobody,
            pauses: [],
            resolutions: [],
            occurrences: [],
            settled: SettledOccurrences([]),
            memberships: [],
            deadCount: 0,
            runners: runners
        )
    }

    /// `seconds`: since it was seen.
    static func runner(
        _ process: Int32,
        seen seconds: Int64,
        readsLists: Bool = false,
        isStandby: Bool = false
    ) -> Runner {
        Runner(
            command: "herald run",
            host: "\u{7}desk",
            processID: process,
            since: SampleOverview.ago,
            lastSeen: SampleOverview.now.advanced(bySeconds: -seconds),
            readsLists: readsLists,
            isStandby: isStandby
        )
    }
}
