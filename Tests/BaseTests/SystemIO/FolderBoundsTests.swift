import Foundation
import SystemIO
import TestSupport
import Testing

struct FolderBoundsTests {
    /// Each directory in it has a file `list`, and `project/link` leads to `real`.
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("real/list", "")
        try folder.write("really/list", "")
        try folder.write("project/list", "")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/project/link",
            withDestinationPath: folder.path + "/real"
        )
    }

    private func contains(_ path: String, in bounds: FolderBounds) -> Bool {
        bounds.contain(folder.path + "/" + path)
    }

    @Test func `a directory contains itself and what is below it`() {
        let bounds = FolderBounds(folder.path + "/real")
        #expect(contains("real", in: bounds))
        #expect(contains("real/", in: bounds))
        #expect(contains("real/list", in: bounds))
        #expect(!contains("really", in: bounds))
        #expect(!contains("really/list", in: bounds))
        #expect(!contains("", in: bounds))
    }

    @Test func `a link belongs to the place of its target`() {
        let project = FolderBounds(folder.path + "/project")
        #expect(contains("project/list", in: project))
        #expect(!contains("project/link", in: project))
        #expect(!contains("project/link/list", in: project))
        let both = FolderBounds(folder.path + "/project", and: [folder.path + "/project/link"])
        #expect(contains("project/link", in: both))
        #expect(contains("project/link/list", in: both))
        #expect(contains("real/list", in: both))
    }
}
