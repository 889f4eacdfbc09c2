import CampaignLoading
import CampaignModel
import Diagnostics
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import Text

struct ProjectFilesTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("herald.yaml", LoadedFiles.smallProject)
    }

    private func load() -> LoadedProject {
        ProjectLoader(zones: systemZones).load(directory: folder.path)
    }

    private func campaign(_ name: String) -> String {
        "campaign: \(name)\naudience: { topic: tides }\nmessage: {}\n"
    }

    @Test func `reads every YAML file below campaigns, sorted by path`() throws {
        for path in ["b.yaml", "a.yml", "a/z.yaml", "a/deep/er.yaml"] {
            let name = String(path.map { $0 == "/" ? "-" : $0 })
            try folder.write("campaigns/" + path, campaign(name))
        }
        let loaded = load()
        #expect(loaded.log.isEmpty)
        #expect(
            loaded.project?.campaigns.map(\.id.rawValue)
                == ["a.yml", "a-deep-er.yaml", "a-z.yaml", "b.yaml"]
        )
    }

    @Test(arguments: ["a.YAML", "a.Yml", "deep/a.YML"])
    func `accepts the extension in uppercase`(name: String) throws {
        try folder.write("campaigns/" + name, campaign("tide"))
        #expect(load().project?.campaigns.map(\.id.rawValue) == ["tide"])
    }

    @Test(arguments: ["campaign", "Campaigns"])
    func `warns about a probably misnamed directory`(name: String) throws {
        try folder.write(name + "/a.yaml", campaign("tide"))
        let loaded = load()
        let found = loaded.log.sorted(in: loaded.catalog)
        #expect(found.map(\.message) == ["files in `\(name)/` are ignored"])
        #expect(found.map(\.severity) == [.warning])
    }

    @Test func `does not warn about it if the right directory exists`() throws {
        try folder.write("campaign/a.yaml", campaign("tide"))
        try folder.write("campaigns/b.yaml", campaign("ebb"))
        #expect(load().log.isEmpty)
    }

    @Test func `refuses other than regular files without reading them`() throws {
        try folder.write("campaigns/b.yaml", campaign("ebb"))
        #expect(mkfifo(folder.path + "/campaigns/a.yaml", 0o600) == 0)
        #expect(messages() == ["campaigns/a.yaml cannot be read: it is not a regular file"])
    }

    private func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/" + path,
            withDestinationPath: target
        )
    }

    private func messages() -> [String] {
        let loaded = load()
        return loaded.log.sorted(in: loaded.catalog).map(\.message)
    }

    @Test func `follows a link to a file of the project`() throws {
        try folder.write("shared/a.yaml", campaign("shared"))
        try folder.write("campaigns/b.yaml", campaign("own"))
        try link("campaigns/a.yaml", to: "../shared/a.yaml")
        #expect(load().project?.campaigns.map(\.id.rawValue) == ["shared", "own"])
        #expect(messages() == [])
    }

    @Test func `does not follow a link to a file outside of the project`() throws {
        let outside = try TemporaryFolder()
        try outside.write("a.yaml", campaign("outside"))
        try folder.write("campaigns/b.yaml", campaign("inside"))
        try link("campaigns/a.yaml", to: outside.path + "/a.yaml")
        try link("campaigns/c.yaml", to: "a.yaml")
        let problem = "cannot be read: it is a link to a path outside the project"
        withExtendedLifetime(outside) {
            #expect(messages() == ["campaigns/a.yaml \(problem)", "campaigns/c.yaml \(problem)"])
            #expect(load().project?.campaigns.map(\.id.rawValue) == ["inside"])
        }
    }

    @Test func `does not follow herald yaml out of the project`() throws {
        let outside = try TemporaryFolder()
        try outside.write("herald.yaml", LoadedFiles.smallProject)
        try FileManager.default.removeItem(atPath: folder.path + "/herald.yaml")
        try link("herald.yaml", to: outside.path + "/herald.yaml")
        let problem = "cannot be read: it is a link to a path outside the project"
        withExtendedLifetime(outside) { #expect(messages() == ["herald.yaml \(problem)"]) }
    }

    @Test func `does not follow campaigns itself out of the project`() throws {
        let outside = try TemporaryFolder()
        try outside.write("a.yaml", campaign("outside"))
        try link("campaigns", to: outside.path)
        withExtendedLifetime(outside) {
            #expect(messages().first?.hasPrefix("campaigns cannot be read: it is a link") == true)
            #expect(load().project?.campaigns.isEmpty == true)
        }
    }

    @Test func `reports a circle of links`() throws {
        try folder.write("campaigns/b.yaml", campaign("ebb"))
        try link("campaigns/a.yaml", to: "a.yaml")
        #expect(messages() == ["campaigns/a.yaml cannot be read: its links form a loop"])
    }

    @Test func `refuses a file of more than 4 MiB`() throws {
        let comment = "#" + String(repeating: "-", count: 4 * 1_048_576 - 2) + "\n"
        try folder.write("campaigns/a.yaml", comment)
        #expect(messages() == ["this file declares nothing"])
        try folder.write("campaigns/a.yaml", comment + "\n")
        let problem = "it has 4194305 bytes, and the limit is 4 MiB"
        #expect(messages() == ["campaigns/a.yaml cannot be read: \(problem)"])
    }

    @Test func `reports a name that is not UTF-8`() throws {
        try folder.write("campaigns/b.yaml", campaign("ebb"))
        let start = (folder.path + "/campaigns/").utf8CString.dropLast()
        for ending in [".yaml", "", ".txt"] {
            let path = start + [CChar(bitPattern: 0xFF)] + ending.utf8CString
            let descriptor = open(Array(path), O_CREAT | O_WRONLY, 0o600)
            #expect(descriptor >= 0)
            close(descriptor)
        }
        #expect(messages() == ["campaigns/\u{FFFD}.yaml cannot be read: its name is not UTF-8"])
    }

    @Test(arguments: [
        "campaigns/.hidden.yaml", "campaigns/.git/a.yaml", "campaigns/list.txt",
        "campaigns/a.yaml~", "campaigns/a.json", "a.yaml", "other/a.yaml",
    ])
    func `skips other files`(path: String) throws {
        try folder.write(path, "this: [is not, read")
        let loaded = load()
        #expect(loaded.log.isEmpty)
        #expect(loaded.project?.campaigns.isEmpty == true)
    }

    @Test func `does not follow a link to a directory`() throws {
        let outside = try TemporaryFolder()
        try outside.write("a.yaml", campaign("outside"))
        try folder.write("campaigns/b.yaml", campaign("inside"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/campaigns/link",
            withDestinationPath: outside.path
        )
        #expect(load().project?.campaigns.map(\.id.rawValue) == ["inside"])
    }

    @Test(arguments: ["", "# nothing yet\n", "---\n---\n"])
    func `reports a file that declares nothing`(text: String) throws {
        try folder.write("campaigns/a.yaml", text)
        try folder.write("campaigns/b.yaml", campaign("inside"))
        let loaded = load()
        let found = loaded.log.sorted(in: loaded.catalog)
        #expect(found.map(\.message) == ["this file declares nothing"])
        #expect(found.map(\.severity) == [.warning])
        #expect(loaded.project?.campaigns.map(\.id.rawValue) == ["inside"])
    }

    @Test(arguments: [
        ("x-a: 1\n", "this document declares nothing"),
        ("- campaign: a\n", "this document is not a mapping"),
    ])
    func `refuses a document without a declaration`(text: String, message: String) throws {
        try folder.write("campaigns/a.yaml", text)
        let loaded = load()
        #expect(loaded.log.errors.map(\.message) == [message])
    }

    @Test func `reports a missing project file`() throws {
        let empty = try TemporaryFolder()
        let loaded = ProjectLoader(zones: systemZones).load(directory: empty.path)
        let found = loaded.log.sorted(in: loaded.catalog)
        #expect(found.map(\.message) == ["herald.yaml cannot be read: there is no such file"])
        #expect(
            found.first?.help == ["run herald in the project directory, or name it with -C DIR"]
        )
        #expect(loaded.project == nil)
    }

    @Test func `reports a file that is not UTF-8 once`() throws {
        try folder.write("campaigns/a.yaml", Array("campaign: a\nabout: ".utf8) + [0xE9, 0x0A])
        let loaded = load()
        #expect(loaded.log.sorted(in: loaded.catalog).map(\.rule) == [.notUTF8])
    }
}
