import CampaignLoading
import FoundationEssentials
import SystemIO

/// File metadata of a project, read without opening the files.
struct ProjectSnapshot: Equatable {
    private struct Stamp: Equatable {
        let seconds: Int
        let nanoseconds: Int
        let size: Int
        /// The inode.
        ///
        /// It changes if an editor replaces the file.
        let number: UInt
    }

    /// Keyed by path relative to the project.
    private var stamps: [String: Stamp] = [:]
    private let directory: String

    var count: Int { stamps.count }

    /// Covers `herald.yaml`, all files below `campaigns/` that are not hidden, and the given lists.
    init(of directory: String, lists: [String]) {
        self.directory = directory
        for path in [ProjectLoader.projectFile] + lists { look(at: path) }
        lookInto(ProjectLoader.campaignFolder)
    }

    /// The paths that differ, sorted.
    func differences(from other: ProjectSnapshot) -> [String] {
        Set(stamps.keys).union(other.stamps.keys).filter { stamps[$0] != other.stamps[$0] }.sorted()
    }

    /// Adds lists that the project turned out to use.
    ///
    /// Keeps the first stamps of lists below `campaigns/`, which are already included.
    mutating func add(_ lists: [String]) {
        let folder = ProjectLoader.campaignFolder + "/"
        for path in lists where stamps[path] == nil && !path.hasPrefix(folder) { look(at: path) }
    }

    private mutating func look(at path: String) {
        guard let status = FileStatus(full(path), followsLink: true) else { return }
        stamps[path] = Stamp(
            seconds: status.seconds,
            nanoseconds: status.nanoseconds,
            size: status.size,
            number: status.number
        )
    }

    private mutating func lookInto(_ folder: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: full(folder))) ?? []
        for name in names where !name.hasPrefix(".") {
            let path = folder + "/" + name
            if isFolder(path) { lookInto(path) } else { look(at: path) }
        }
    }

    /// Whether this is a directory.
    ///
    /// A link to a directory is not, because it is never read.
    private func isFolder(_ path: String) -> Bool {
        FileStatus(full(path), followsLink: false)?.isFolder ?? false
    }

    private func full(_ path: String) -> String {
        path.hasPrefix("/") ? path : directory + "/" + path
    }
}
