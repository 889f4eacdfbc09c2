import CampaignModel
import JSON
import RegistrationLists
import State
import StoreConformance
import Testing
import Time

@testable import Planning
@testable import Presentation

/// Tests what the comment of a pull request says to readers who do not know Herald.
struct PlanCommentTests {
    private let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func story(_ plan: Plan) -> PlanDescription {
        PlanDescription(plan, zones: PlanGolden.zones)
    }

    private func comment(_ plan: Plan) -> String { PlanMarkdownView().render(story(plan)) }

    /// The groups of a comment, without its head and its last line.
    private func groups(_ plan: Plan) throws -> String {
        let comment = comment(plan)
        let start = try #require(comment.firstRange(of: "#### ")?.lowerBound)
        let end = try #require(comment.firstRange(of: "\n\nAs of ")?.lowerBound)
        return String(comment[start..<end])
    }

    private func page(_ plan: Plan) -> String {
        PlanHTMLView().render(
            story(plan),
            timeline: PlanTimeline(plan, zones: PlanGolden.zones),
            places: [:]
        )
    }

    private func text(_ plan: Plan) -> String {
        PlanTextView(style: TextStyle(useColor: false)).render(story(plan))
            .split(separator: /\s+/).joined(separator: " ")
    }

    private func campaign(
        _ name: String = "sale",
        to target: AudienceTarget? = nil,
        fields: JSONObject = ["notification": ["title": "Hello"]],
        collapse: String? = nil,
        schedule: Schedule = .immediate,
        late: LatePolicy.Late? = nil,
        revision: Int = 1,
        formerly: String? = nil
    ) throws -> Campaign {
        try ReviewedVariations(scene).campaign(
            name,
            to: target ?? .topic(scene.topic()),
            fields: fields,
            delivery: Delivery(
                timeToLive: nil,
                priority: nil,
                collapse: collapse.flatMap(CollapseKey.init)
            ),
            schedule: schedule,
            timeliness: LatePolicy(
                late: late,
                lateAfter: 600,
                until: nil,
                reasonInQuietHours: nil
            ),
            revision: revision,
            formerly: formerly
        )
    }

    private func at(_ seconds: Int64) -> Schedule { .at(PlanScene.moment(seconds)) }

    private func send(_ campaign: Campaign) async throws {
        try await scene.record([.accepted], of: scene.begin(campaign))
        try await scene.store.close(try #require(campaign.onlyOccurrence), as: .finished)
    }

    /// The first of three requests was sent.
    private func interrupt() async throws -> Campaign {
        let list = RegistrationList.inline(try (0..<3).map(scene.registration))
        let campaign = try campaign(to: .registrations(list))
        try await scene.record([.accepted], of: scene.begin(campaign))
        return campaign
    }

    private func pause(_ scope: PauseScope = .everything) async throws {
        _ = try await scene.store.pause(
            Pause(scope: scope, since: PlanScene.now, user: "ada", host: "desk")
        )
    }
}

// MARK: - Removals and renames

extension PlanCommentTests {
    @Test func `a removal says what is cancelled, and folds nothing if it cancels nothing`()
        async throws
    {
        let (old, later) = (try campaign("old"), try campaign("later", schedule: at(3_600)))
        try await send(old)
        try await scene.remember(scene.plan([old, later]))
        let plan = try await scene.plan()
        #expect(
            try groups(plan) == """
                #### Cancelled or removed (2 campaigns)

                <details><summary><code>-</code> <b><code>later</code></b> was removed from the \
                files; its send of Friday 2027-01-15 09:00 is cancelled</summary>

                - **When:** was due Friday 2027-01-15 09:00 UTC (`2027-01-15T09:00:00Z`)

                </details>

                - `-` `old` was removed from the files; its history is kept

                """
        )
        let page = page(plan)
        #expect(page.split(separator: "<article").count == 3)
        #expect(page.split(separator: "<details open><summary>").count == 2)
        #expect(page.contains("<div class=\"flat\">"))
    }

    @Test func `a removal during a send counts what is not sent`() async throws {
        _ = try await interrupt()
        #expect(
            try groups(try await scene.plan()) == """
                #### Cancelled or removed (1 campaign)

                - `-` `sale` was removed from the files; the rest of its send is cancelled: 2 \
                requests

                """
        )
    }

    @Test func `a rename folds nothing`() async throws {
        try await send(campaign("old"))
        let plan = try await scene.plan([campaign("new", formerly: "old")])
        #expect(
            try groups(plan) == """
                #### Changed without sending (1 campaign)

                - `~` `new` is renamed from old and keeps its history; what was sent is \
                not sent again

                """
        )
    }

    @Test func `a stopped send explains the choices`() async throws {
        try await scene.record([.unknown], of: scene.begin(campaign()))
        let comment = comment(try await scene.plan([campaign()]))
        let next =
            "`sent` records the request as sent, `resend` sends it again and may reach a device "
            + "twice, and `drop` gives it up."
        #expect(comment.contains("\n- **Next:** \(next)\n"))
    }
}

// MARK: - Pauses

extension PlanCommentTests {
    private func next(_ campaign: Campaign) async throws -> String? {
        let plan = try await scene.plan([campaign])
        let entry = try #require(story(plan).groups.first?.entries.first)
        let comment = comment(plan)
        let line = comment.split(separator: "\n").first { $0.hasPrefix("- **Next:** ") }
        #expect((line == nil) == entry.next.isEmpty)
        #expect(text(plan).contains("next \(entry.next.first ?? "")") == (line != nil))
        #expect(page(plan).contains("<dt>Next</dt>") == (line != nil))
        return line.map { String($0.dropFirst("- **Next:** ".count)) }
    }

    @Test func `a paused send says until when it is sent after the pause`() async throws {
        try await pause()
        let immediate = try campaign()
        #expect(
            try await next(immediate)
                == "After `herald resume -e dev`, the next `herald apply -e dev` sends it."
        )
        #expect(
            try groups(try await scene.plan([immediate])).contains(
                "<b><code>sale</code></b> has been paused, with all campaigns, since Friday "
                    + "2027-01-15 08:00 UTC by ada on desk: it is not sent to topic news until the "
                    + "pause is lifted · reach unknown · “Hello”</summary>"
            )
        )
        let start = "After `herald resume -e dev`, `herald apply -e dev` sends it until Friday "
        #expect(
            try await next(campaign(schedule: at(-300)))
                == start + "2027-01-15 08:05 UTC; later, it is not sent (late\\_after allows 10 "
                + "min)."
        )
        #expect(
            try await next(campaign(schedule: at(-300), late: .send))
                == start + "2027-02-12 07:55 UTC; later, it is not sent (the message expires)."
        )
    }

    @Test func `the rest of a paused send has the lifetime of its message`() async throws {
        let campaign = try await interrupt()
        try await pause(.campaign(campaign.id))
        #expect(
            try await next(campaign)
                == "After `herald resume sale -e dev`, `herald apply -e dev` sends the rest until "
                + "Friday 2027-02-12 08:00 UTC; later, the rest is not sent (the message expires)."
        )
        #expect(
            comment(try await scene.plan([campaign])).contains(
                " by ada on desk: the rest (2 requests) is not sent to 3 registrations listed in "
                    + "the campaign until the pause is lifted"
            )
        )
    }

    @Test func `the rest of a paused send has the message with which it began`() async throws {
        let campaign = try await interrupt()
        try await pause()
        let changed = try self.campaign(
            to: campaign.target,
            fields: ["notification": ["title": "Other"]]
        )
        let comment = comment(try await scene.plan([changed]))
        #expect(comment.contains(" title `Hello`\n") && !comment.contains("`Other`"))
    }

    @Test func `a send that a pause made late is not made up`() async throws {
        let late = try campaign(schedule: at(-3_600))
        let advice = "To send it, set `at` in its schedule to a later time."
        #expect(try await next(late) == advice)
        try await pause(.campaign(late.id))
        #expect(
            try await next(late)
                == "The campaign is paused. `herald resume sale -e dev` does not send it, because "
                + "the time has passed. \(advice)"
        )
    }

    @Test func `missed due times of a paused rule are not made up`() async throws {
        try await pause()
        let rule = try scene.rule("0 * * * *")
        try await scene.remember(
            scene.plan([rule], at: PlanScene.now.advanced(bySeconds: -7_200))
        )
        let plan = try await scene.plan([rule], at: PlanScene.now.advanced(bySeconds: 1_800))
        #expect(
            comment(plan).contains(
                "\n- **Next:** The campaign is paused. `herald resume -e dev` does not send the "
                    + "missed messages, because the time has passed.\n"
            )
        )
    }
}

// MARK: - Repeats

extension PlanCommentTests {
    private static let start =
        "This send is a deliberate repeat, because `revision` was raised"

    private func repeated(_ plan: Plan) -> [String] {
        comment(plan).split(separator: "\n").filter {
            $0.hasPrefix("- This send") || $0.contains("by accident")
        }.map { String($0.dropFirst(2)) }
    }

    @Test func `a raised revision is not described as an accidental repeat`() async throws {
        try await send(campaign())
        let plan = try await scene.plan([campaign(revision: 2)])
        let renewal =
            Self.start + ": a device that still shows the notification of revision 1 then shows "
            + "both."
        let accident =
            "If FCM delivers it twice by accident, the second copy replaces the first (key "
        #expect(repeated(plan) == [renewal, accident + "`1b5f2b4417a1caef`)."])
        #expect(text(plan).contains("\(renewal) \(accident)1b5f2b4417a1caef)."))
        let shown = renewal.replacing("`revision`", with: "<code>revision</code>")
        #expect(page(plan).contains(">\(shown)</p>"))
    }

    @Test func `a raised revision with a collapse key replaces the notification`() async throws {
        try await send(campaign(collapse: "tide"))
        let plan = try await scene.plan([campaign(collapse: "tide", revision: 2)])
        #expect(
            repeated(plan) == [
                Self.start + ": the new notification replaces the notification of revision 1."
            ]
        )
    }

    @Test func `a raised revision can replace the notification on some platforms`() async throws {
        let fields: JSONObject = [
            "notification": ["title": "Hello"], "android": ["notification": ["tag": "x"]],
        ]
        try await send(campaign(fields: fields))
        let plan = try await scene.plan([campaign(fields: fields, revision: 2)])
        #expect(
            repeated(plan).first
                == Self.start + ": the new notification replaces the notification of revision 1 on "
                + "Android; a device of another platform shows both."
        )
    }

    @Test func `a repeat of data replaces nothing, and a first send is no repeat`() async throws {
        let data: JSONObject = ["data": ["a": "b"]]
        #expect(repeated(try await scene.plan([campaign(revision: 2)])).count == 1)
        try await send(campaign(fields: data))
        let plan = try await scene.plan([campaign(fields: data, revision: 2)])
        #expect(repeated(plan) == [Self.start + "."])
    }
}

// MARK: - Refusals

extension PlanCommentTests {
    private func refused(_ plan: Plan) -> Plan {
        let refusal = GuardOutcome(
            .maxSendsPerRun,
            subject: nil,
            verdict: .refused(.tooManySends(2_000, maximum: 1_000))
        )
        return PlanOfActions.plan(plan, guards: [refusal])
    }

    @Test func `a refused plan is conditional`() async throws {
        let audience = try scene.audience(scene.inline(0, 1))
        let plan = refused(
            try await scene.plan(
                [campaign(), campaign("later", schedule: at(3_600))],
                audiences: [audience]
            )
        )
        let comment = comment(plan)
        let head =
            "\n**Refused by guard max-sends-per-run: `herald apply -e dev` does nothing. The rest "
            + "of this plan says what it would do.**\n\n| Campaign |"
        #expect(comment.contains(head))
        let summary =
            "\n**Without the refusal: 2 joins in 1 topic. 2 campaigns: 1 sent now, 1 scheduled. "
            + "2 requests.**\n\nDigest `"
        #expect(comment.contains(summary))
        #expect(!comment.contains("to apply exactly this plan"))
        #expect(!comment.contains("A scheduled message is not sent by itself"))
        let lines = [
            "#### Would be sent, but the plan is refused (1 campaign)",
            "#### Would be scheduled (1 campaign)",
            "<b><code>all</code></b> would subscribe 2 registrations to topic news</summary>",
            "<b><code>sale</code></b> would send now to topic news · at least 2 devices · ",
            "<b><code>later</code></b> would be scheduled to go to topic news – Friday ",
            "- **How:** If applied: 1 request.", "- **How:** When due: 1 request. ",
            " Symbols: `>` would be sent now, `+` would be added.",
        ]
        for line in lines { #expect(comment.contains(line), "\(line)") }
        for words in ["sends now", "is scheduled", " subscribes", "Sent by"] {
            #expect(!comment.contains(words), "\(words)")
            #expect(!text(plan).contains(words), "\(words)")
            #expect(!page(plan).contains(words), "\(words)")
        }
        #expect(page(plan).contains(">The next 14 days without the refusal</h2>"))
        #expect(!page(plan).contains("Apply with"))
    }

    @Test func `changes of a refused plan are conditional`() async throws {
        let first = try campaign("later", schedule: at(3_600))
        let (rule, other) = (try scene.rule("30 10 * * *"), try campaign("old", schedule: at(60)))
        try await scene.remember(scene.plan([first, rule, other]))
        let moved = try campaign("later", schedule: at(5_400))
        let plan = refused(try await scene.plan([moved, scene.rule("0 11 * * *")]))
        let found = story(plan).groups.flatMap(\.entries).flatMap(\.headlines).map(\.wording)
        #expect(
            found == [
                "would move from Friday 09:00 to 09:30 and go to topic news",
                "would repeat at 11:00 every day instead of at 10:30 every day, to topic news",
                "was removed from the files; its send of Friday 2027-01-15 08:01 would be "
                    + "cancelled",
            ]
        )
    }
}

// MARK: - Numbers

extension PlanCommentTests {
    @Test func `counts the texts by locale, and says who gets the campaign's own text`() throws {
        func sentences(_ texts: [(String?, Int)]) throws -> [String] {
            let action = CampaignAction(
                campaign: try #require(CampaignID("sale")),
                step: .unchanged,
                texts: try texts.map { tag, count in
                    let locale = try tag.map { try #require(Locale($0)) }
                    return PlannedText(locale.map(TextKey.locale) ?? .own, count: count)
                }
            )
            return TextWording.sentences(on: action)
        }
        #expect(
            try sentences([(nil, 80), ("pt", 1_310), ("de", 1)]) == [
                "Texts by locale: 1,310 registrations get pt and 1 gets de.",
                "80 registrations get the campaign's own text, because locales has no entry for "
                    + "their locale.",
            ]
        )
        #expect(
            try sentences([(nil, 1), ("pt", 1)]) == [
                "Texts by locale: 1 registration gets pt.",
                "1 registration gets the campaign's own text, because locales has no entry for its "
                    + "locale.",
            ]
        )
        #expect(
            try sentences([(nil, 0), ("pt", 2), ("de", 0)])
                == ["Texts by locale: 2 registrations get pt and 0 get de."]
        )
        #expect(try sentences([]) == [])
    }

    @Test func `tells memberships that stay from devices that a topic reaches`() async throws {
        try await scene.join(1, 2)
        let topics = [try scene.topic(): TopicDescription(about: nil, reach: 900)]
        let plan = try await scene.plan(
            [campaign()],
            audiences: [scene.audience(scene.inline(1, 2, 3))],
            topics: topics
        )
        let comment = comment(plan)
        #expect(
            comment.contains(
                "- **Audience:** 2 registrations of the audience stay subscribed to topic news.\n"
            )
        )
        #expect(
            comment.contains(
                "- **Audience:** 900 devices, as declared for topic news in herald.yaml. These "
                    + "devices include the 3 registrations of audience all, which Herald keeps "
                    + "subscribed.\n"
            )
        )
    }

    @Test func `a changed rule names the send that it drops`() async throws {
        let old = try scene.rule("30 10 * * 1-5")
        try await scene.remember(scene.plan([old]))
        let plan = try await scene.plan([scene.rule("0 8 * * 1-5")])
        let headlines = story(plan).groups.flatMap(\.entries).flatMap(\.headlines)
        #expect(
            headlines.map(\.wording) == [
                "now repeats at 08:00 on Monday to Friday instead of at 10:30 on Monday to Friday, "
                    + "to topic news; the send that was due Friday 2027-01-15 10:30 is dropped"
            ]
        )
    }

    @Test func `a line after a folded entry is not part of its element`() async throws {
        let sample = try SampleDescription().make(copies: 30)
        let comment = PlanMarkdownView(maximumBytes: 8_000).render(sample)
        let lines = comment.split(separator: "\n", omittingEmptySubsequences: false)
        let places = lines.indices.filter { lines[$0].hasPrefix("- `") }
        #expect(places.contains { lines[$0 - 1].isEmpty && lines[$0 - 2] == "</details>" })
        #expect(!places.contains { lines[$0 - 1] == "</details>" })
    }
}
