import JSON
import Planning
import Testing

@testable import Presentation

struct PlanWithoutStateTests {
    private func description() throws -> PlanDescription {
        PlanDescription(try SamplePlan.make(), zones: PlanGolden.zones, knowsState: false)
    }

    @Test func `has neither a digest nor a command that applies it`() throws {
        let story = try description()
        #expect(story.digest == nil)
        #expect(story.command == nil)
        #expect(!story.head.isApplicable)
    }

    @Test func `text and Markdown say that the state is unknown`() throws {
        let story = try description()
        let style = TextStyle(useColor: false, width: TextWidth(columns: nil))
        let text = PlanTextView(style: style).render(story)
        let markdown = PlanMarkdownView().render(story)
        #expect(text.contains("Planned without the state"))
        #expect(text.hasSuffix("No digest: planned without the state.\n"))
        #expect(markdown.contains("**Planned without the state"))
        let digest = try SamplePlan.make().digest.hash
        #expect(!text.contains(digest))
        #expect(!markdown.contains(digest))
    }

    @Test func `JSON has no digest, lineage or reviewed content`() throws {
        let text = PlanJSONView()
            .render(try SamplePlan.make(), projectOnWire: "shop", knowsState: false)
        let plan = try #require(JSONValue(parsing: text)?.objectValue)
        #expect(plan["state"] == "unknown")
        for key in ["digest", "lineage", "reviewed"] { #expect(plan[key] == nil, "\(key)") }
        let known = PlanJSONView().render(try SamplePlan.make(), projectOnWire: "shop")
        let members = try #require(JSONValue(parsing: known)?.objectValue).members.map(\.key)
        let left = Set(members).subtracting(plan.members.map(\.key))
        #expect(left == ["digest", "lineage", "reviewed"])
    }
}
