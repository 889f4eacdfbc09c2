import CampaignModel
import Planning
import RegistrationLists
import SystemIO

/// The metadata of a list's files, which differ after one of them was written, replaced, added or
/// removed.
struct ListVersion: Hashable, Sendable {
    /// By path; the value is nil if there is no such file.
    private let files: [String: FileVersion?]

    init(_ list: RegistrationList, in directory: String) {
        let paths = list.leaves.flatMap { $0.filePaths(in: directory) }
        files = Dictionary(
            paths.map { path in
                let place = path.hasPrefix("/") ? path : directory + "/" + path
                return (path, FileStatus(place, followsLink: true)?.version)
            },
            uniquingKeysWith: { first, _ in first }
        )
    }
}

extension DueRun {
    /// The versions of the lists that are read when these sends begin.
    func versions(of sends: [SendStep]) -> [OccurrenceID: ListVersion] {
        guard let directory = target.listDirectory else { return [:] }
        var versions: [OccurrenceID: ListVersion] = [:]
        for send in sends {
            guard let list = send.target.listAtSend?.content.list else { continue }
            versions[send.occurrence] = ListVersion(list, in: directory)
        }
        return versions
    }
}
