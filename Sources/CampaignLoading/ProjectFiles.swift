import FoundationEssentials

/// Why a file could not be read, in the operating system's words.
package struct FileProblem: Error, Hashable, Sendable {
    package let reason: String

    package init(reason: String) {
        self.reason = reason
    }
}

/// The files of a project's folder.
struct ProjectFiles {
    let directory: String

    /// Pipes and devices are refused unread: they may never end.
    func read(_ path: String) -> Result<[UInt8], FileProblem> {
        if let type = type(of: path), type != .typeRegular { return .failure(Self.noFile) }
        do {
            return .success([UInt8](try Data(contentsOf: URL(filePath: directory + "/" + path))))
        } catch {
            return .failure(FileProblem(reason: Self.reason(error)))
        }
    }

    /// What kind of file a path leads to, over links as well; nil where there is none.
    private func type(of path: String) -> FileAttributeType? {
        let target = URL(filePath: full(path)).resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: target)
        return attributes?[.type] as? FileAttributeType
    }

    /// Every `.yaml` and `.yml`, in small or capital letters, below `campaigns/`, sorted by path;
    /// hidden ones left out.
    ///
    /// A folder that can't be listed is there as a failure: what lies in it is not gone.
    func campaignFiles() -> [(path: String, result: Result<[UInt8], FileProblem>)] {
        var found: [(path: String, result: Result<[UInt8], FileProblem>)] = []
        var folders = [ProjectLoader.campaignFolder]
        while let folder = folders.popLast() {
            switch names(in: folder) {
            case .failure(let problem): found.append((folder, .failure(problem)))
            case .success(let names):
                for name in names where !name.hasPrefix(".") {
                    let path = folder + "/" + name
                    if isFolder(path) {
                        folders.append(path)
                    } else if isLinkToFolder(path) {
                        found.append((path, .failure(Self.link)))
                    } else if Self.isYAML(name) {
                        found.append((path, read(path)))
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

    /// A folder that was probably meant to be the campaigns', which the project does not have.
    func misnamedCampaignFolder() -> String? {
        let wanted = ProjectLoader.campaignFolder
        guard !FileManager.default.fileExists(atPath: full(wanted)) else { return nil }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.sorted().first { name in
            [wanted, String(wanted.dropLast())].contains(name.lowercased()) && isFolder(name)
        }
    }

    /// A project without campaigns need not have a folder for them.
    private func names(in folder: String) -> Result<[String], FileProblem> {
        do {
            return .success(try FileManager.default.contentsOfDirectory(atPath: full(folder)))
        } catch {
            let isMissing = !FileManager.default.fileExists(atPath: full(folder))
            return isMissing && folder == ProjectLoader.campaignFolder
                ? .success([]) : .failure(FileProblem(reason: Self.reason(error)))
        }
    }

    private static let noFile = FileProblem(reason: "it is no regular file")
    private static let link = FileProblem(
        reason: "it is a link to a folder, and a project does not reach outside of itself"
    )

    private func isLinkToFolder(_ path: String) -> Bool {
        var isDirectory = false
        return FileManager.default.fileExists(atPath: full(path), isDirectory: &isDirectory)
            && isDirectory
    }

    private func full(_ path: String) -> String { directory + "/" + path }

    /// A link to a folder is none.
    private func isFolder(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: full(path))
        return attributes?[.type] as? FileAttributeType == .typeDirectory
    }

    private static func reason(_ error: any Error) -> String {
        switch (error as? CocoaError)?.code {
        case .fileReadNoSuchFile?, .fileNoSuchFile?: "there is no such file"
        case .fileReadNoPermission?: "permission denied"
        case .fileReadTooLarge?: "the file is too large"
        default: "it is not a readable file"
        }
    }
}
