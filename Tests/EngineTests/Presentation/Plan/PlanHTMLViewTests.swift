import Testing

@testable import Presentation

struct PlanHTMLViewTests {
    private func page(_ text: String) throws -> String {
        let sample = SampleDescription(text: text)
        return PlanHTMLView().render(
            try sample.make(),
            timeline: try sample.timeline(),
            places: [:]
        )
    }

    /// Returns every tag with its attributes, in order.
    private func tags(_ page: String) -> [Substring] {
        page.split(separator: "<").dropFirst().compactMap { $0.split(separator: ">").first }
    }

    @Test(arguments: [
        "<script>alert(1)</script>", "</style></title></details>", "\"><img src=x onerror=y>",
        "'><a href='javascript:x'>", "&lt;b&gt;", "<!-- -->", "\u{1B}[31m\u{202E}\0",
        "https://evil.example/",
    ])
    func `user text adds no tag and no attribute`(text: String) throws {
        #expect(tags(try page(text)) == tags(try page("harmless")))
    }

    @Test func `shows invisible characters`() throws {
        let page = try page("a\u{202E}b\u{1B}[2Jc")
        #expect(
            !page.unicodeScalars.contains("\u{202E}") && !page.unicodeScalars.contains("\u{1B}")
        )
        #expect(page.contains("a\\u{202E}b\\u{1B}[2Jc"))
    }

    @Test func `digest and summary come first`() throws {
        let page = try page("x")
        let digest = try #require(
            page.firstRange(of: "0badc0de0badc0de0badc0de0badc0de0badc0de@7</code>")
        )
        let summary = try #require(page.firstRange(of: "1 sends, 1 changed. 1 requests"))
        let main = try #require(page.firstRange(of: "<main"))
        #expect(summary.lowerBound < digest.lowerBound && digest.lowerBound < main.lowerBound)
    }

    @Test func `unfolds only the first entries of a long plan`() throws {
        let sample = SampleDescription()
        let page = PlanHTMLView().render(
            try sample.make(copies: 30),
            timeline: try sample.timeline(),
            places: [:]
        )
        let open = page.split(separator: "\n").count { $0.contains("\"><details open><summary>") }
        #expect(open == PlanHTMLView.unfolded)
    }

    private func article(_ name: String, of golden: PlanGolden) async throws -> Substring {
        let timeline = PlanTimeline(try await golden.plan(), zones: PlanGolden.zones)
        let page = PlanHTMLView().render(try await golden.story(), timeline: timeline, places: [:])
        let articles = page.split(separator: "<article").dropFirst()
        return try #require(articles.first { $0.contains("<bdi>\(name)</bdi>") })
    }

    @Test func `names a rule's next due time once`() async throws {
        let daily = try await article("daily", of: .clocks)
        #expect(daily.split(separator: "datetime=\"2027-03-27T01:30:00Z\"").count == 2)
    }

    @Test func `a cancelled send has its due time`() async throws {
        #expect(
            try await article("daily", of: .changed).contains(
                "previously <time datetime=\"2027-01-15T08:30:00Z\">"
            )
        )
    }

    @Test func `commands are code, and backticks in user text stay`() throws {
        let sample = SampleDescription(text: "`x`")
        let page = PlanHTMLView().render(
            try sample.make(),
            timeline: try sample.timeline(),
            places: [:]
        )
        #expect(page.contains("raise <code>revision</code> to send again"))
        #expect(page.contains("is sent now, to topic `x`"))
    }

    @Test func `days list their due sends and count the rest`() throws {
        let page = try page("x")
        #expect(page.contains("<time datetime=\"2027-01-16\">"))
        #expect(page.contains("And 1,200 more, which are not shown."))
        #expect(page.contains("<li class=\"busy today\"><h3><time datetime=\"2027-01-15\">"))
        #expect(page.split(separator: "class=\"busy\"").count == 3)
        #expect(page.split(separator: "class=\"free\"").count == 13)
    }
}
