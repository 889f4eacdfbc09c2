import CampaignLoading
import CampaignModel
import Diagnostics
import Testing

struct ExampleProjectTests {
    private static let root =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
        .joined(separator: "/")

    @Test(arguments: ["", "/Tests/Goldens/documents"])
    func `finds nothing in the projects of this repository`(folder: String) {
        let directory = Self.root + folder
        let loaded = ProjectLoader(zones: systemZones).load(directory: directory)
        let found = LoadedFiles.check(loaded, directory: directory)
        #expect(found.map { Finding($0, loaded.catalog) } == [])
        #expect(loaded.project?.campaigns.isEmpty == false)
    }
}
