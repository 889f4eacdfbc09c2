import CampaignModel
import Presentation
import State
import TestSupport
import Testing
import Text
import Time

@testable import Planning

struct PlanGoldenTests {
    private let view = PlanTextView(style: TextStyle(useColor: false))

    @Test(.covers("C01", "C50", "F1.4-priority-default"), arguments: PlanGolden.allCases)
    func `the text of a plan matches its golden file`(_ golden: PlanGolden) async throws {
        try await golden.expect(view.render(golden.story()), as: "txt")
    }

    @Test(arguments: PlanGolden.allCases)
    func `comment and page match their golden files`(_ golden: PlanGolden) async throws {
        let timeline = PlanTimeline(try await golden.plan(), zones: PlanGolden.zones)
        try await golden.expect(PlanMarkdownView().render(golden.story()), as: "md")
        let page = PlanHTMLView().render(try await golden.story(), timeline: timeline, places: [:])
        let style = #/<style>(.|\n)*</style>/#
        try golden.expect(page.replacing(style, with: "<style></style>"), as: "html")
    }

    @Test(arguments: PlanGolden.allCases)
    func `the JSON of a plan matches its golden file`(_ golden: PlanGolden) async throws {
        let plan = try await golden.plan()
        let text = PlanJSONView().render(plan, projectOnWire: plan.project.rawValue)
        try golden.expect(text, as: "json")
    }

    @Test(arguments: PlanGolden.allCases)
    func `only a single long word is wider than 80 columns`(_ golden: PlanGolden) async throws {
        for line in view.render(try await golden.story()).split(separator: "\n") {
            let words = line.drop { $0 == " " }
            let fits = TerminalText.columns(of: String(line)) <= 80
            #expect(fits || !words.contains(" "), "\(line)")
        }
    }

    @Test(arguments: PlanGolden.allCases)
    func `colours add only escape sequences`(_ golden: PlanGolden) async throws {
        let painted = PlanTextView(style: TextStyle(useColor: true)).render(
            try await golden.story()
        )
        let plain = view.render(try await golden.story())
        #expect(painted.replacing(#/\u{1B}\[[0-9]+m/#, with: "") == plain)
        #expect(!plain.unicodeScalars.contains("\u{1B}"))
    }

    @Test func `every step has a golden file`() async throws {
        let steps = try await PlanGolden.allPlans().flatMap { $0.campaigns.map(\.step.name) }
        #expect(Set(steps) == Set(StepName.allCases))
    }

    @Test func `every notice has a golden file`() async throws {
        let notices = try await PlanGolden.allPlans().flatMap { $0.notices.map(\.name) }
        #expect(Set(notices) == Set(NoticeName.allCases))
    }

    @Test func `every guard, verdict and refusal has a golden file`() async throws {
        let outcomes = try await PlanGolden.allPlans().flatMap(\.guards)
        #expect(Set(outcomes.map(\.guard)) == Set(Guard.allCases))
        #expect(Set(outcomes.map(\.verdict.name)) == Set(VerdictName.allCases))
        #expect(Set(outcomes.map(\.verdict.refusal.name)) == Set(RefusalName.allCases))
    }

    @Test func `every symbol, group and kind of audience has a golden file`() async throws {
        let stories = try await PlanGolden.allPlans().map {
            PlanDescription($0, zones: PlanGolden.zones)
        }
        #expect(Set(stories.flatMap(\.symbols)) == Set(PlanSymbol.allCases))
        #expect(Set(stories.flatMap(\.groups).map(\.kind)) == Set(PlanGroup.allCases))
        let plans = try await PlanGolden.allPlans().flatMap(\.campaigns)
        #expect(Set(plans.compactMap(\.audience).map(\.name)) == Set(AudienceName.allCases))
    }

    @Test func `shows every notice once`() async throws {
        for golden in PlanGolden.allCases {
            let (plan, story) = (try await golden.plan(), try await golden.story())
            let entries = story.groups.flatMap(\.entries)
            let moments = entries.flatMap(\.headlines).compactMap(\.moment?.note)
            let told = story.notices.count + entries.flatMap(\.notices).count + moments.count
            #expect(told == plan.notices.count, "\(golden)")
        }
    }
}
