import CampaignLoading
import CampaignModel
import Diagnostics
import FoundationEssentials
import TestSupport
import Testing

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
    func `takes the ending in capital letters as well`(name: String) throws {
        try folder.write("campaigns/" + name, campaign("tide"))
        #expect(load().project?.campaigns.map(\.id.rawValue) == ["tide"])
    }

    @Test(arguments: ["campaign", "Campaigns"])
    func `warns of a folder that was meant to be read`(name: String) throws {
        try folder.write(name + "/a.yaml", campaign("tide"))
        let loaded = load()
        let found = loaded.log.sorted(in: loaded.catalog)
        #expect(found.map(\.message) == ["nothing is read from `\(name)/`"])
        #expect(found.map(\.severity) == [.warning])
    }

    @Test func `says nothing of such a folder beside the right one`() throws {
        try folder.write("campaign/a.yaml", campaign("tide"))
        try folder.write("campaigns/b.yaml", campaign("ebb"))
        #expect(load().log.isEmpty)
    }

    @Test func `refuses what is no regular file, unread`() throws {
        try folder.write("campaigns/b.yaml", campaign("ebb"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/campaigns/a.yaml",
            withDestinationPath: "/dev/zero"
        )
        let loaded = load()
        #expect(
            loaded.log.sorted(in: loaded.catalog).map(\.message)
                == ["campaigns/a.yaml can't be read: it is no regular file"]
        )
    }

    @Test func `follows a link to a file`() throws {
        let outside = try TemporaryFolder()
        try outside.write("a.yaml", campaign("outside"))
        try folder.write("campaigns/b.yaml", campaign("inside"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/campaigns/a.yaml",
            withDestinationPath: outside.path + "/a.yaml"
        )
        let names = withExtendedLifetime(outside) { load().project?.campaigns.map(\.id.rawValue) }
        #expect(names == ["outside", "inside"])
    }

    @Test(arguments: [
        "campaigns/.hidden.yaml", "campaigns/.git/a.yaml", "campaigns/list.txt",
        "campaigns/a.yaml~", "campaigns/a.json", "a.yaml", "other/a.yaml",
    ])
    func `passes over other files`(path: String) throws {
        try folder.write(path, "this: [is not, read")
        let loaded = load()
        #expect(loaded.log.isEmpty)
        #expect(loaded.project?.campaigns.isEmpty == true)
    }

    @Test func `does not follow a link to a folder`() throws {
        let outside = try TemporaryFolder()
        try outside.write("a.yaml", campaign("outside"))
        try folder.write("campaigns/b.yaml", campaign("inside"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/campaigns/link",
            withDestinationPath: outside.path
        )
        #expect(load().project?.campaigns.map(\.id.rawValue) == ["inside"])
    }

    @Test func `says that there is no project file`() throws {
        let empty = try TemporaryFolder()
        let loaded = ProjectLoader(zones: systemZones).load(directory: empty.path)
        let found = loaded.log.sorted(in: loaded.catalog)
        #expect(found.map(\.message) == ["herald.yaml can't be read: there is no such file"])
        #expect(found.first?.help == ["run herald in the project's folder, or name it with -C DIR"])
        #expect(loaded.project == nil)
    }

    @Test func `a file that is not UTF-8 is one finding`() throws {
        try folder.write("campaigns/a.yaml", Array("campaign: a\nabout: ".utf8) + [0xE9, 0x0A])
        let loaded = load()
        #expect(loaded.log.sorted(in: loaded.catalog).map(\.rule) == [.notUTF8])
    }
}
