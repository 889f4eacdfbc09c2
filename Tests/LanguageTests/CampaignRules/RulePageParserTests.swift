import CampaignRules
import Diagnostics
import Testing

@Suite struct RulePageParserTests {
    private static let page = """
        # topic-case

        Warning. It can be turned off.
        To silence one, add a comment.

        ## What it does

        Reports topics.

        A second paragraph, with `## no heading`.

        ## Why is this bad

        FCM treats them as different topics.

        ## Example

        `campaigns/a.yaml`

        ```yaml
        campaign: a

        ## still the file
        ```

        `lists/a.txt`, in ISO 8859-1

        ````text
        ```
        ⟨é×3⟩
        ````

        `⟨TEXT×N⟩` means TEXT repeated N times.

        ## Use instead

        `campaigns/a.yaml`

        ```yaml
        ```

        ## Source

        Firebase documentation

        """

    /// The error of a page that differs from the valid one in one place.
    private static func error(
        replacing old: String,
        with new: String
    ) throws -> RulePageError? {
        let range = try #require(page.firstRange(of: old))
        var changed = page
        changed.replaceSubrange(range, with: new)
        do {
            _ = try RulePage(markdown: changed)
            return nil
        } catch {
            return error
        }
    }

    @Test func `reads every section`() throws {
        let page = try RulePage(markdown: Self.page)
        #expect(page.id == .topicCase)
        #expect(page.severity == .warning)
        #expect(page.settings == "It can be turned off.\nTo silence one, add a comment.")
        #expect(
            page.whatItDoes == "Reports topics.\n\nA second paragraph, with `## no heading`."
        )
        #expect(page.summary == "Reports topics.")
        #expect(page.whyIsThisBad == "FCM treats them as different topics.")
        #expect(page.source == "Firebase documentation")
    }

    @Test func `reads files with their encodings and the note below them`() throws {
        let page = try RulePage(markdown: Self.page)
        #expect(
            page.example.files == [
                .init(path: "campaigns/a.yaml", text: "campaign: a\n\n## still the file\n"),
                .init(path: "lists/a.txt", text: "```\n⟨é×3⟩\n", isLatin1: true),
            ]
        )
        #expect(page.example.note == "`⟨TEXT×N⟩` means TEXT repeated N times.")
        #expect(page.useInstead.files == [.init(path: "campaigns/a.yaml", text: "")])
        #expect(page.useInstead.note == nil)
    }

    @Test(arguments: [
        ("# topic-case\n", "# no-such-rule\n", RulePageError(.title, line: 1)),
        ("# topic-case\n", "topic-case\n", RulePageError(.title, line: 1)),
        ("Warning. ", "Danger. ", RulePageError(.severity, line: 3)),
        ("## Example", "## Examples", RulePageError(.heading("Example"), line: 16)),
        ("## Source", "### Source", RulePageError(.heading("Source"), line: 46)),
        (
            "FCM treats them as different topics.\n\n", "",
            RulePageError(.empty("Why is this bad"), line: 14)
        ),
        ("`campaigns/a.yaml`\n", "campaigns/a.yaml\n", RulePageError(.empty("Example"), line: 18)),
        ("```yaml\n", "yaml\n", RulePageError(.file, line: 18)),
        ("\n````\n", "\n```\n", RulePageError(.file, line: 26)),
        ("Firebase documentation\n", "F\n\n## More\n", RulePageError(.extraSection, line: 46)),
    ])
    func `reports the first line that is not part of a page`(
        old: String,
        new: String,
        expected: RulePageError
    ) throws {
        #expect(try Self.error(replacing: old, with: new) == expected)
    }
}
