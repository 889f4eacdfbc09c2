import CampaignLoading
import CampaignModel
import CampaignRules
import RegistrationLists

/// The lists of a project that contain registrations of real devices, and their files that Git
/// tracks.
struct TrackedLists {
    private let lists: [RegistrationList]

    /// `environment`: the environment for which the files are loaded, if any.
    init(_ loaded: LoadedProject, in environment: EnvironmentID?) {
        let isReal = loaded.declarations.reachesDevices(in: environment)
        lists = isReal ? Array(Set(loaded.project?.lists ?? [])) : []
    }

    /// Returns the files that Git tracks, by list; nil if Git does not answer.
    func files(in directory: String, variables: [String: String]) -> TrackedFiles? {
        let files = lists.map { (list: $0, paths: $0.filePaths(in: directory)) }
        func full(_ path: String) -> String {
            path.hasPrefix("/") ? path : directory + "/" + path
        }
        let all = Set(files.flatMap(\.paths).map(full))
        guard let tracked = GitWorkTree.tracked(among: all.sorted(), variables: variables) else {
            return nil
        }
        return Dictionary(
            uniqueKeysWithValues: files.map { file in
                (file.list, file.paths.filter { tracked.contains(full($0)) })
            }
        )
    }
}

extension Declarations {
    /// Whether an environment with `fcm` uses these lists.
    ///
    /// `environment`: nil for the lists of all environments without own `lists`.
    fileprivate func reachesDevices(in environment: EnvironmentID?) -> Bool {
        (project?.environments?.value ?? []).contains { entry in
            guard let content = entry.content, content.fcm != nil else { return false }
            return environment.map { $0 == entry.name.value } ?? (content.lists == nil)
        }
    }
}
