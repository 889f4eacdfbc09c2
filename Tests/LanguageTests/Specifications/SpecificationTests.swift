import CampaignLoading
import Diagnostics
import Presentation
import TestSupport
import Testing

struct SpecificationTests {
    private static let folder =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/") + "/Specifications"

    static let all: [Specification] = (try? Specification.all(inFolder: folder)) ?? []

    @Test func `every file of the directory is a specification`() throws {
        #expect(try Specification.all(inFolder: Self.folder).count >= 5)
    }

    @Test(arguments: all)
    func `Herald's output is that of the specification`(specification: Specification) {
        let files = LoadedFiles(specification.files)
        let renderer = DiagnosticTextView(catalog: files.loaded.catalog, style: .plain)
        let blocks = files.diagnostics.map { renderer.render($0) + "\n" }
        let output =
            blocks.joined(separator: "\n") + "\n" + renderer.summary(of: files.diagnostics) + "\n"
        #expect(output == specification.output)
    }

    @Test func `a specification has files and one output`() throws {
        let markdown = """
            # Title

            ```yaml herald.yaml
            version: 1
            ```

            Words.

            ```yaml campaigns/a.yaml
            campaign: a

            message: {}
            ```

            ```text output
            no problems
            ```
            """
        let specification = try #require(Specification(name: "a.md", markdown: markdown))
        #expect(specification.files.map(\.path) == ["herald.yaml", "campaigns/a.yaml"])
        #expect(specification.files.last?.text == "campaign: a\n\nmessage: {}\n")
        #expect(specification.output == "no problems\n")
    }

    @Test(arguments: [
        "# nothing", "```yaml a.yaml\na: b\n```\n", "```text output\nnever closed",
        "```text output\n```\n```text output\n```\n",
    ])
    func `a text without output is not a specification`(markdown: String) {
        #expect(Specification(name: "a.md", markdown: markdown) == nil)
    }
}
