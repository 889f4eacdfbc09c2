import CampaignLoading
import FoundationEssentials

/// What can be seen of a project's files without opening them.
struct ProjectSnapshot: Equatable {
    private struct Stamp: Equatable {
        let seconds: Int
        let nanoseconds: Int
        let size: Int
        /// Another one after an editor has put a new file in the old one's place.
        let number: UInt
    }

    /// By path, relative to the project.
    private var stamps: [String: Stamp] = [:]
    private let directory: String

    var count: Int { stamps.count }

    /// `herald.yaml`, all that is not hidden below `campaigns/`, and these lists.
    init(of directory: String, lists: [String]) {
        self.directory = directory
        for path in [ProjectLoader.projectFile] + lists { look(at: path) }
        lookInto(ProjectLoader.campaignFolder)
    }

    /// The paths that differ, sorted.
    func differences(from other: ProjectSnapshot) -> [String] {
        Set(stamps.keys).union(other.stamps.keys).filter { stamps[$0] != other.stamps[$0] }.sorted()
    }

    /// Lists that turned out to belong to the project; those below `campaigns/` are there already,
    /// as they were at the first look.
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

    /// A link to a folder is none: nothing is read from it.
    private func isFolder(_ path: String) -> Bool {
        FileStatus(full(path), followsLink: false)?.isFolder ?? false
    }

    private func full(_ path: String) -> String {
        path.hasPrefix("/") ? path : directory + "/" + path
    }
}
