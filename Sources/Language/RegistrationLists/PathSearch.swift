import CampaignModel
import SystemIO

/// The paths that the first components of a pattern match.
struct PathSearch {
    private let directory: String
    private var paths: [String] = [""]
    private var count = 0
    private var hasWildcard = false

    /// Returns the existing paths that match, in the order of their bytes.
    ///
    /// - Throws: `.unreadable` for a directory that cannot be listed, and for a name that is not
    ///   UTF-8. Herald does not skip it, because its registrations would count as removed.
    static func paths(
        matching pattern: PathPattern,
        in directory: String
    ) throws(RegistrationListError) -> [String] {
        var search = PathSearch(in: directory)
        for component in pattern.components { try search.enter(component) }
        return search.paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private init(in directory: String) {
        self.directory = directory
    }

    private mutating func enter(_ component: PathPattern.Component) throws(RegistrationListError) {
        var found: [String] = []
        for path in paths {
            let folder = count == 0 ? "" : path + "/"
            switch component {
            case .name(let name):
                // The directories before the first wildcard are checked when they are listed.
                if !hasWildcard || FileSystem.exists(full(folder + name)) {
                    found.append(folder + name)
                }
            case .wildcard(let pattern):
                let names = try names(in: folder, matching: pattern)
                found += names.map { folder + $0 }
            }
        }
        paths = found
        count += 1
        if case .wildcard = component { hasWildcard = true }
    }

    /// `folder`: Ends with a slash; empty for the directory itself.
    ///
    /// A file that a wildcard matched contains no names.
    private func names(
        in folder: String,
        matching pattern: NamePattern
    ) throws(RegistrationListError) -> [String] {
        let place = folder.isEmpty ? directory : full(folder)
        if hasWildcard, FileStatus(place, followsLink: true)?.isFolder != true { return [] }
        var names: [String] = []
        for entry in try Self.entries(of: place, named: folder) where pattern.matches(entry.name) {
            guard entry.isUTF8 else {
                throw .unreadable(path: folder + entry.name, reason: .foreignName)
            }
            names.append(entry.name)
        }
        return names
    }

    private static func entries(
        of place: String,
        named folder: String
    ) throws(RegistrationListError) -> [Folder.Entry] {
        do throws(SystemError) {
            return try Folder.entries(of: place)
        } catch {
            throw .unreadable(
                path: folder.isEmpty ? "." : folder,
                reason: RegistrationListError.Reason(error)
            )
        }
    }

    private func full(_ path: String) -> String {
        RegistrationListError.fullPath(path, in: directory)
    }
}
