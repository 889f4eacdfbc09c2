import Diagnostics
import FoundationEssentials
import TestSupport
import Testing
import Text

struct DocumentationExampleTests {
    private static let root =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
        .joined(separator: "/")

    /// The lists that the examples name.
    private static let lists = [
        ("campaigns/registrations/skippers.txt", "ana-pixel:1\nbo-iphone:2\n"),
        (
            "registrations/anglers.csv",
            "registration,name,fish,port,language\n"
                + "ana-pixel:1,Ana,wrasse,Horta,pt-PT\nbo-iphone:2,,bream,Lajes,\n"
        ),
        ("registrations/sailors.csv", "registration\nbo-iphone:2\ncaro-web:3\n"),
        ("registrations/staff.csv", "registration\nana-pixel:1\n"),
        ("registrations/guests.txt", "caro-web:3\n"),
    ]

    @Test(.covers("C10")) func `the documentation's examples have no findings`() throws {
        let page = try String(
            contentsOfFile: Self.root + "/Documentation/Reference/Language.md",
            encoding: .utf8
        )
        let examples = page.components(separatedBy: "```yaml\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        #expect(examples.count >= 3)
        let folder = try TemporaryFolder()
        for (path, text) in Self.lists {
            let file = folder.path + "/" + path
            try FileManager.default.createDirectory(
                atPath: file.split(separator: "/", omittingEmptySubsequences: false).dropLast()
                    .joined(separator: "/"),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: URL(filePath: file))
        }
        for example in examples {
            let files = LoadedFiles(campaign: example, directory: folder.path)
            #expect(files.diagnostics.map(\.message) == [], "\(example)")
            #expect(files.campaign != nil)
        }
    }
}
