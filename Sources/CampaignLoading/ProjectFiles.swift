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
    func campaignFiles() -> [String] {
        var found: [String] = []
        var folders = [ProjectLoader.campaignFolder]
        while let folder = folders.popLast() {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: full(folder))) ?? []
            for name in names where !name.hasPrefix(".") {
                let path = folder + "/" + name
                if isFolder(path) {
                    folders.append(path)
                } else if name.hasSuffix(".yaml") || name.hasSuffix(".yml") {
                    found.append(path)
                }
            }
        }
        return found.sorted()
    }

    private func full(_ path: String) -> String { directory + "/" + path }

    /// A link to a folder is not followed: a project does not reach outside of itself.
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
