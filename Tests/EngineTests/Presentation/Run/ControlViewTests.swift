import Applying
import CampaignMessages
import CampaignModel
import FCMWire
import JSON
import Presentation
import RunControl
import State
import StoreConformance
import Testing

struct PauseTextViewTests {
    private let view = PauseTextView(now: PlanScene.now)

    private func pause(_ scope: PauseScope) -> Pause {
        Pause(scope: scope, since: SampleOverview.ago, user: "ann", host: "de\u{7}sk")
    }

    @Test func `reports pauses and existing pauses`() throws {
        let sale = PauseScope.campaign(try #require(CampaignID("sale")))
        #expect(
            view.renderPaused(.everything, isNew: true, pauses: [pause(.everything)])
                == "Paused: nothing is sent, joined or left until `herald resume`. A run that is sending "
                + "stops within a second.\n"
        )
        #expect(
            view.renderPaused(sale, isNew: false, pauses: [pause(.everything), pause(sale)])
                == "Already paused, by ann on de\\u{7}sk 5 min ago: sale is not sent until "
                + "`herald resume sale`.\n"
        )
    }

    @Test func `reports lifted and remaining pauses`() throws {
        let sale = PauseScope.campaign(try #require(CampaignID("sale")))
        #expect(
            view.renderLifted(.everything, wasPaused: true, rest: [])
                == "The pause of everything is lifted: the next apply resumes.\n"
        )
        #expect(
            view.renderLifted(sale, wasPaused: true, rest: [pause(.everything)]) == """
                The pause of sale is lifted.
                Still paused: everything, by ann on de\\u{7}sk 5 min ago.

                """
        )
        #expect(
            view.renderLifted(sale, wasPaused: false, rest: []) == "Not paused: sale.\n"
        )
    }
}

struct ResolutionTextViewTests {
    private let view = ResolutionTextView(style: TextStyle(useColor: false), now: PlanScene.now)

    private func text(
        _ name: String,
        _ resolution: Resolution,
        _ effect: RepeatEffect? = nil
    ) throws -> [String] {
        let overview = try SampleOverview.make()
        let found = try #require(overview.occurrences.first { $0.id.campaign.rawValue == name })
        var problems: [SendProblem] = []
        try SampleOverview.unknowns(found) { problem in
            problems.append(problem)
            return problems.count < 1
        }
        let text = view.render(found, resolution: resolution, problems: problems, effect: effect)
        return text.split(separator: "\n").map(String.init)
    }

    @Test func `reports the unknown requests and the effect of a resolution`() throws {
        #expect(
            try text("going", .resend) == [
                "going/once/1  to 3,000 registrations: 1,000 accepted, 64 unknown, 1,936 not sent",
                "  unknown  0000000000000000  503\\u{1B}[2J", "  … and 63 more",
                "64 unknown requests will be sent again with the next apply. Some devices may "
                    + "receive the message twice.",
            ]
        )
        #expect(
            try text("halted", .sent) == [
                "halted/once/1  to topic tides: 1 unknown", "  unknown  503\\u{1B}[2J",
                "1 unknown request will count as accepted; nothing is sent for them.",
            ]
        )
        #expect(
            try text("going", .drop).last
                == "64 unknown requests will be given up; nothing is sent for them."
        )
        #expect(
            try text("held", .resend).last == "It is no longer held: the next apply resumes it."
        )
    }

    @Test(arguments: [
        (#"{"notification":{"title":"T"}}"#, "; the second replaces the first."),
        (#"{"data":{"a":"b"}}"#, "."),
        (
            #"{"android":{"data":{"a":"b"}},"apns":{"payload":{"aps":{"alert":"A"}}}}"#,
            "; the second replaces the first on Apple, but not on Android."
        ),
    ])
    func `names the platforms on which a repeat replaces the first message`(
        message: String,
        end: String
    ) throws {
        let fields = try #require(JSONValue(parsing: message)?.objectValue)
        let campaign = try PlanScene().campaign(fields: fields)
        let effect = RepeatEffect(of: DeliveryLowering(campaign).template)
        let last = try #require(try text("going", .resend, effect).last)
        #expect(last.hasSuffix("Some devices may receive the message twice" + end))
    }

    @Test func `reports the result, or the process that will perform it`() throws {
        let id = try StoreFixtures.occurrence("sale")
        #expect(
            view.renderDone(id, changed: StoreFixtures.tally([.returned: 2]))
                == "Resolved sale/once/1: 2 requests to be sent again: run `herald apply`.\n"
        )
        #expect(
            view.renderDone(id, changed: StoreFixtures.tally([.accepted: 1]))
                == "Resolved sale/once/1: 1 request counted as accepted.\n"
        )
        #expect(
            view.renderDone(id, changed: OutcomeTally())
                == "Resolved sale/once/1: no longer held: run `herald apply`.\n"
        )
        #expect(
            view.renderAsked(id, of: StoreFixtures.worker)
                == "Requested for sale/once/1: the run with the lock, `apply` by ada on desk, "
                + "process 4711, since 2027-01-15T08:00:00Z, performs it before it exits, or the "
                + "next apply does.\n"
        )
    }

    @Test func `apply reports performed and failed resolutions`() throws {
        let view = ApplyTextView(style: TextStyle(useColor: false))
        let asked = RequestedResolution(
            occurrence: try StoreFixtures.occurrence("sale"),
            resolution: .drop,
            unknown: 2,
            user: "ann",
            host: "desk",
            at: SampleOverview.ago
        )
        let done = PerformedResolution(asked: asked, changed: StoreFixtures.tally([.cancelled: 2]))
        let stale = PerformedResolution(asked: asked, changed: OutcomeTally())
        #expect(
            view.renderResolved([done, stale]) == """
                  resolved  sale/once/1  2 unknown requests: drop, as requested by ann on desk
                  resolved  sale/once/1  not done: other requests have become unknown since the \
                request by ann on desk; check `herald status`

                """
        )
    }
}
