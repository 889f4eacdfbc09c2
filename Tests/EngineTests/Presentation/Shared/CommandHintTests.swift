import CampaignModel
import Planning
import Testing

@testable import Presentation

struct CommandHintTests {
    private let selectors = Selectors(
        only: ["label:team=growth", "campaigns/summer/"],
        except: ["campaigns/**/it's.yaml", "tide"]
    )
    /// Words as a POSIX shell reads them (POSIX.1-2024, Shell Command Language, section 2.2.2).
    private let words =
        " --only 'label:team=growth' --only campaigns/summer/"
        + " --except 'campaigns/**/it'\\''s.yaml' --except tide"

    @Test func `repeats the selection for commands that take it`() throws {
        let hint = CommandHint(for: try #require(EnvironmentID("live")), selectors: selectors)
        #expect(hint.selecting("apply --expect D") == "herald apply --expect D -e live" + words)
        #expect(hint("status") == "herald status -e live")
        #expect(CommandHint.local.selecting("plan") == "herald plan")
    }

    @Test func `every view of a plan shows how to apply exactly the selection`() throws {
        var story = try SampleDescription().make()
        story.selectors = selectors
        let command = "herald apply --expect \(try #require(story.digest)) -e production" + words
        let comment = PlanMarkdownView().render(story)
        #expect(comment.contains("to apply exactly this plan: `\(command)`\n"))
        let page = PlanHTMLView().render(
            story,
            timeline: try SampleDescription().timeline(),
            places: [:]
        )
        let escaped = command.replacing("'", with: "&#39;")
        #expect(page.contains(#"<code id="command">\#(escaped)</code>"#))
    }

    @Test func `a comment without room names the selection within its limit`() throws {
        let text = String(repeating: "tide ", count: 2_000)
        var story = try SampleDescription(text: text).make(copies: 400)
        story.selectors = Selectors(only: (1...200).map { "campaigns/number-\($0).yaml" })
        let comment = PlanMarkdownView().render(story)
        let all = (1...200).map { " --only campaigns/number-\($0).yaml" }.joined()
        #expect(comment.contains("Full plan: `herald plan --format html -e production\(all)`"))
        #expect(comment.utf8.count <= PlanMarkdownView.maximumBytes)
    }
}
