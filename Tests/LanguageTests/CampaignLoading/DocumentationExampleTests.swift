import Diagnostics
import FoundationEssentials
import TestSupport
import Testing
import Text

struct DocumentationExampleTests {
    private static let root =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
        .joined(separator: "/")

    @Test(.covers("C10")) func `the documentation's examples have no findings`() throws {
        let page = try String(
            contentsOfFile: Self.root + "/Documentation/Reference/Language.md",
            encoding: .utf8
        )
        let examples = page.components(separatedBy: "```yaml\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        #expect(examples.count >= 3)
        for example in examples {
            let files = LoadedFiles(campaign: example, directory: Self.root)
            #expect(files.diagnostics.map(\.message) == [], "\(example)")
            #expect(files.campaign != nil)
        }
    }
}
