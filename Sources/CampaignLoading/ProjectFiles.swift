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

    func read(_ path: String) -> Result<[UInt8], FileProblem> {
        do {
            return .success([UInt8](try Data(contentsOf: URL(filePath: directory + "/" + path))))
        } catch {
            return .failure(FileProblem(reason: Self.reason(error)))
        }
    }

    /// Every `.yaml` and `.yml` below `campaigns/`, sorted by path; hidden ones left out.
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
                    } else if name.hasSuffix(".yaml") || name.hasSuffix(".yml") {
                        found.append((path, read(path)))
                    }
                }
            }
        }
        return found.sorted { $0.path < $1.path }
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
