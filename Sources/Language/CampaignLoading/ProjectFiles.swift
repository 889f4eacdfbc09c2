import SystemIO

/// Why a file could not be read, as reported by the operating system.
package struct FileProblem: Error, Hashable, Sendable {
    package let reason: String

    package init(reason: String) {
        self.reason = reason
    }
}

/// The files of a project directory.
struct ProjectFiles: Sendable {
    let directory: String

    /// A larger file is refused without reading it.
    ///
    /// A thousandth of this size is a large campaign, and each byte may cost a hundred bytes of
    /// memory.
    static let largestFile = 4 << 20

    /// Reads a file of the project.
    ///
    /// Pipes and devices are refused, because they may never end. Links to targets outside of the
    /// project are refused, too.
    func read(_ path: String) -> Result<[UInt8], FileProblem> {
        do throws(SystemError) {
            guard let file = try open(path) else { return .failure(Self.linkOutside) }
            let status = try file.status()
            guard status.isFile else { return .failure(Self.noFile) }
            guard status.size <= Self.largestFile else { return .failure(.size(status.size)) }
            return .success(try Self.readAll(file, expecting: status.size))
        } catch {
            return .failure(FileProblem(error))
        }
    }

    /// Opens a file; nil if it is a link to a path outside of the project.
    private func open(_ path: String) throws(SystemError) -> File? {
        do throws(SystemError) {
            return try File(full(path), for: .reading, options: [.withoutWaiting, .refusingLinks])
        } catch {
            guard error == .linkLoop else { throw error }
        }
        guard staysInside(path) else { return nil }
        return try File(full(path), for: .reading, options: .withoutWaiting)
    }

    /// Returns the text of a listed file.
    func read(
        _ found: (path: String, problem: FileProblem?)
    ) -> Result<[UInt8], FileProblem> {
        found.problem.map(Result.failure) ?? read(found.path)
    }

    /// Reads to the end, even if the file grows or shrinks while it is read.
    private static func readAll(
        _ file: borrowing File,
        expecting size: Int
    ) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        var room = size + 1
        while try file.append(to: &bytes, atMost: room) == room { room = max(room, 65_536) }
        return bytes
    }

    /// Returns every `.yaml` and `.yml` file below `campaigns/`, sorted by path, in any letter
    /// case.
    ///
    /// Hidden files are skipped. A directory that cannot be listed is returned with its problem,
    /// because its content is not gone.
    func campaignFiles() -> [(path: String, problem: FileProblem?)] {
        var found: [(path: String, problem: FileProblem?)] = []
        var folders = [ProjectLoader.campaignFolder]
        guard staysInside(folders[0]) else { return [(folders[0], Self.link)] }
        while let folder = folders.popLast() {
            switch entries(in: folder) {
            case .failure(let problem): found.append((folder, problem))
            case .success(let entries):
                for entry in entries where !entry.name.hasPrefix(".") {
                    let path = folder + "/" + entry.name
                    switch entry.kind {
                    case .folder: folders.append(path)
                    case .linkToFolder: found.append((path, Self.link))
                    case .nameless: found.append((path, Self.nameless))
                    case .other: if Self.isYAML(entry.name) { found.append((path, nil)) }
                    }
                }
            }
        }
        return found.sorted { $0.path < $1.path }
    }

    private static func isYAML(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasSuffix(".yaml") || name.hasSuffix(".yml")
    }

    /// Returns a directory that was probably intended to be the missing campaign directory.
    func misnamedCampaignFolder() -> String? {
        let wanted = ProjectLoader.campaignFolder
        guard !FileSystem.exists(full(wanted)) else { return nil }
        guard case .success(let entries) = entries(in: ".") else { return nil }
        let near = entries.filter { entry in
            [wanted, String(wanted.dropLast())].contains(entry.name.lowercased())
        }
        return near.first { $0.kind == .folder }?.name
    }

    private func full(_ path: String) -> String { directory + "/" + path }

    /// Whether the links of a path stay inside the project, if they lead anywhere.
    private func staysInside(_ path: String) -> Bool {
        guard let project = RealPath.of(directory), let target = RealPath.of(full(path))
        else { return true }
        let folder = project.hasSuffix("/") ? project : project + "/"
        return target.utf8.starts(with: folder.utf8)
    }

    private static let noFile = FileProblem(reason: "it is not a regular file")
    private static let nameless = FileProblem(reason: "its name is not UTF-8")
    private static let linkOutside = FileProblem(
        reason: "it is a link to a path outside the project"
    )
    private static let link = FileProblem(
        reason: "it is a link to a folder, and Herald does not follow such links"
    )
}

// MARK: - Folders

extension ProjectFiles {
    private enum Kind {
        case folder
        case linkToFolder
        /// The name is not UTF-8, and the file may have been intended to be read.
        case nameless
        case other
    }

    private struct Entry {
        let name: String
        let kind: Kind
    }

    /// Returns the entries sorted by name; a project without campaigns needs no directory for them.
    private func entries(in folder: String) -> Result<[Entry], FileProblem> {
        let found: [Folder.Entry]
        do throws(SystemError) {
            found = try Folder.entries(of: full(folder))
        } catch {
            let isMissing = error == .notFound && folder == ProjectLoader.campaignFolder
            return isMissing ? .success([]) : .failure(FileProblem(error))
        }
        let entries = found.map { entry in
            let isOfNoUse = entry.kind == .file && !Self.isYAML(entry.name)
            let kind = entry.isUTF8 || isOfNoUse ? kind(of: entry, in: folder) : .nameless
            return Entry(name: entry.name, kind: kind)
        }
        return .success(entries.sorted { $0.name < $1.name })
    }

    private func kind(of entry: Folder.Entry, in folder: String) -> Kind {
        switch entry.kind {
        case .file: return .other
        case .folder: return .folder
        case .other: break
        }
        let path = full(folder + "/" + entry.name)
        guard let own = FileStatus(path, followsLink: false) else { return .other }
        if own.isFolder { return .folder }
        let leadsToFolder = FileStatus(path, followsLink: true)?.isFolder ?? false
        return leadsToFolder ? .linkToFolder : .other
    }
}

extension FileProblem {
    fileprivate static func size(_ bytes: Int) -> FileProblem {
        let limit = ProjectFiles.largestFile >> 20
        return FileProblem(reason: "it has \(bytes) bytes, and the limit is \(limit) MiB")
    }

    fileprivate init(_ error: SystemError) {
        reason =
            switch error {
            case .notFound, .notAFolder: "there is no such file"
            case .accessDenied, .notPermitted: "permission denied"
            case .fileTooLarge: "the file is too large"
            case .linkLoop: "its links form a loop"
            default: "it is not a readable file"
            }
    }
}
