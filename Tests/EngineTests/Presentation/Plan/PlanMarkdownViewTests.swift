import Testing

@testable import Presentation

struct PlanMarkdownViewTests {
    @Test
    func `starts with the marker of the comment, then destination, table and digest`() throws {
        let lines = PlanMarkdownView().render(try SampleDescription().make()).split(separator: "\n")
        #expect(lines[0] == "<!-- herald-plan: tidewatch/production -->")
        #expect(
            lines[1] == "Destination: `production`, project ID `tidewatch-b5ae1`, "
                + "`https://fcm.googleapis.com`, **protected**"
        )
        #expect(lines[2] == "### Plan for `production` of `tidewatch`")
        #expect(
            lines[3] == "**Refused by guard max-recipients: `herald apply -e production` does "
                + "nothing. The rest of this plan says what it would do.**"
        )
        #expect(lines[4] == "| Campaign | Change | When | Reach |")
        #expect(lines[5] == "| --- | --- | --- | --- |")
        #expect(lines[6].hasPrefix("| `>` `spring-tide-1` | is sent now, to topic "))
        #expect(lines[7].hasPrefix("| `~` `sent-before` | was already sent"))
        #expect(lines[8] == "**1 sends, 1 changed. 1 requests. 12 campaigns unchanged.**")
        let digest = "0badc0de0badc0de0badc0de0badc0de0badc0de@7"
        #expect(
            lines[9] == "Digest `\(digest)`; to apply exactly this plan: "
                + "`herald apply --expect \(digest) -e production`"
        )
    }

    @Test func `the table counts a device's messages, and a cell cannot end early`() throws {
        let sample = SampleDescription(text: "a | b\\| `c|d` @e|f")
        let text = PlanMarkdownView().render(try sample.make(), timeline: try sample.timeline())
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") }
        #expect(rows[0] == "| Campaign | Change | When | Reach | Messages per device |")
        #expect(rows[2].hasSuffix(" | now | – | 1 |"))
        // GitHub divides a row at each vertical line that is not escaped, also in code.
        let ends = rows[2].replacing("\\\\", with: "").replacing("\\|", with: "")
        #expect(ends.count { $0 == "|" } == 6)
    }

    @Test func `a long table is cut`() throws {
        let text = PlanMarkdownView().render(try SampleDescription().make(copies: 40))
        #expect(text.split(separator: "\n").count { $0.hasPrefix("| `") } == 25)
        #expect(text.contains("\nAnd 16 more changes.\n"))
    }

    @Test func `each campaign is folded under its headline`() throws {
        let text = PlanMarkdownView().render(try SampleDescription().make(copies: 3))
        let summaries = text.split(separator: "\n").filter { $0.hasPrefix("<details>") }
        #expect(summaries.count == 4)
        let summary = """
            <details><summary><code>&gt;</code> <b><code>spring-tide-1</code></b> is sent now, to topic \
            Currents up to 4 knots · “Spring tide: Currents up to 4 knots” on Android · changes the \
            schedule, the body and data.Currents up to 4 knots</summary>
            """
        #expect(summaries[0] == summary)
        #expect(text.split(separator: "\n").count { $0 == "</details>" } == 4)
    }

    @Test func `a folded entry begins with the guards that refuse it`() async throws {
        let text = PlanMarkdownView().render(try await PlanGolden.guards.story())
        #expect(
            text.contains(
                "<b><code>offer</code></b> <b>refused by guard max-recipients</b> · would send now "
            )
        )
        #expect(text.contains("\n**Refused by guards max-recipients, max-cancellations, "))
    }

    @Test func `highlights changed wording in a diff`() throws {
        let text = PlanMarkdownView().render(try SampleDescription(text: "tide `x`").make())
        #expect(
            text.contains(
                """
                ```diff
                  body
                - [-Old-] tide `x`
                + {+New+} tide `x`
                  data.tide `x` (Android, web)
                + tide `x`
                  schedule
                - [-tide `x`-] … 9,120 characters unchanged …
                ```
                """
            )
        )
    }

    @Test func `a truncated plan reports the size and place of the missing part`() throws {
        let text = PlanMarkdownView(maximumBytes: 20_000).render(
            try SampleDescription().make(copies: 300)
        )
        #expect((19_000...20_000).contains(text.utf8.count))
        let full = text.split(separator: "\n").count { $0.hasPrefix("<details>") }
        let short = text.split(separator: "\n").count { $0.hasPrefix("- `>` `spring-tide-") }
        #expect(full > 3 && short > 10)
        let place = "Full plan: `herald plan --format html -e production` or `--format json`."
        #expect(
            text.contains(
                "**And \(301 - full - short) more.** \(short) shortened to one line each. "
                    + place
            )
        )
    }

    @Test(arguments: ["x", "é", "👩\u{200D}💻", "\u{202E}", "`", "@", "<"])
    func `stays within GitHub's limit for long texts and many campaigns`(character: String) throws {
        let text = String(repeating: character, count: 10_000)
        let comment = PlanMarkdownView().render(try SampleDescription(text: text).make(copies: 400))
        #expect(comment.utf8.count < 65_536)
        #expect(comment.hasPrefix("<!-- herald-plan: tidewatch/production -->\n"))
        #expect(comment.contains("**And "))
        #expect(comment.contains("As of Friday"))
    }

    @Test func `the command repeats the consent for sources`() throws {
        var story = try SampleDescription().make()
        let digest = "0badc0de0badc0de0badc0de0badc0de0badc0de@7"
        let command = "`herald apply --expect \(digest) -e production"
        #expect(PlanMarkdownView().render(story).contains(command + "`\n"))
        story.consents = ["--allow-sources"]
        #expect(PlanMarkdownView().render(story).contains(command + " --allow-sources`\n"))
    }

    @Test func `many guards and notes leave room for the actions`() throws {
        let story = try SampleDescription().make(copies: 3)
        let guards = (1...900).map { number in
            GuardDescription(
                name: "max-recipients",
                subject: "campaign-\(number)",
                outcome: .refused,
                wording: "reaches more than it may"
            )
        }
        let many = PlanDescription(
            head: story.head,
            groups: story.groups,
            notices: story.notices,
            guards: guards,
            unchanged: 0,
            leftOut: 0,
            summary: story.summary,
            digest: story.digest
        )
        let text = PlanMarkdownView().render(many)
        let shown = text.split(separator: "\n").count { $0.hasPrefix("- **Refused**") }
        #expect(text.contains("- And \(900 - shown) more guards.\n"))
        #expect(text.contains("<code>spring-tide-3</code>"))
        #expect(text.utf8.count < 65_536)
    }
}
