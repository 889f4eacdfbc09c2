import Glibc

/// The system's `read`, which `ProjectFiles.read` hides.
private let readBytes = read

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
        let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC
        var descriptor = open(full(path), flags | O_NOFOLLOW)
        if descriptor < 0, errno == ELOOP {
            guard staysInside(path) else { return .failure(Self.linkOutside) }
            descriptor = open(full(path), flags)
        }
        guard descriptor >= 0 else { return .failure(FileProblem(code: errno)) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return .failure(FileProblem(code: errno)) }
        guard status.isRegular else { return .failure(Self.noFile) }
        guard status.st_size <= Self.largestFile else { return .failure(.size(status.st_size)) }
        return Self.readAll(descriptor, expecting: Int(status.st_size))
    }

    /// Returns the text of a listed file.
    func read(
        _ found: (path: String, problem: FileProblem?)
    ) -> Result<[UInt8], FileProblem> {
        found.problem.map(Result.failure) ?? read(found.path)
    }

    /// Reads to the end, even if the file grows or shrinks while it is read.
    private static func readAll(
        _ descriptor: Int32,
        expecting size: Int
    ) -> Result<[UInt8], FileProblem> {
        var bytes: [UInt8] = []
        var problem: FileProblem?
        var room = size + 1
        var isAtEnd = false
        while !isAtEnd {
            let piece = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                let read = readBytes(descriptor, buffer.baseAddress, room)
                if read < 0 { problem = FileProblem(code: errno) }
                count = max(0, read)
            }
            isAtEnd = piece.isEmpty || piece.count < room
            bytes = bytes.isEmpty ? piece : bytes + piece
            room = max(room, 65_536)
        }
        return problem.map(Result.failure) ?? .success(bytes)
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
        guard access(full(wanted), F_OK) != 0 else { return nil }
        guard case .success(let entries) = entries(in: ".") else { return nil }
        let near = entries.filter { entry in
            [wanted, String(wanted.dropLast())].contains(entry.name.lowercased())
        }
        return near.first { $0.kind == .folder }?.name
    }

    private func full(_ path: String) -> String { directory + "/" + path }

    /// Whether the links of a path stay inside the project, if they lead anywhere.
    private func staysInside(_ path: String) -> Bool {
        guard let project = Self.target(of: directory), let target = Self.target(of: full(path))
        else { return true }
        let folder = project.hasSuffix("/") ? project : project + "/"
        return target.utf8.starts(with: folder.utf8)
    }

    private static func target(of path: String) -> String? {
        guard let target = realpath(path, nil) else { return nil }
        defer { free(target) }
        return String(cString: target)
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
        guard let stream = opendir(full(folder)) else {
            let code = errno
            let isMissing = code == ENOENT && folder == ProjectLoader.campaignFolder
            return isMissing ? .success([]) : .failure(FileProblem(code: code))
        }
        defer { closedir(stream) }
        var entries: [Entry] = []
        while let next = readdir(stream) {
            let bytes = withUnsafeBytes(of: &next.pointee.d_name) { bytes in
                Array(bytes.prefix { $0 != 0 })
            }
            let name = String(decoding: bytes, as: UTF8.self)
            guard name != ".", name != ".." else { continue }
            let type = Int(next.pointee.d_type)
            let isNamed = name.utf8.elementsEqual(bytes)
            let isOfNoUse = type == Int(DT_REG) && !Self.isYAML(name)
            let kind: Kind =
                isNamed || isOfNoUse ? kind(of: folder + "/" + name, type: type) : .nameless
            entries.append(Entry(name: name, kind: kind))
        }
        return .success(entries.sorted { $0.name < $1.name })
    }

    /// `type`: The entry's type in the directory, which not every file system provides.
    private func kind(of path: String, type: Int) -> Kind {
        if type == Int(DT_REG) { return .other }
        if type == Int(DT_DIR) { return .folder }
        var own = stat()
        var target = stat()
        guard lstat(full(path), &own) == 0 else { return .other }
        if own.isFolder { return .folder }
        let leadsToFolder = stat(full(path), &target) == 0 && target.isFolder
        return leadsToFolder ? .linkToFolder : .other
    }
}

extension stat {
    fileprivate var isRegular: Bool { st_mode & S_IFMT == S_IFREG }
    fileprivate var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
}

extension FileProblem {
    fileprivate static func size(_ bytes: Int) -> FileProblem {
        let limit = ProjectFiles.largestFile >> 20
        return FileProblem(reason: "it has \(bytes) bytes, and the limit is \(limit) MiB")
    }

    fileprivate init(code: Int32) {
        reason =
            switch code {
            case ENOENT, ENOTDIR: "there is no such file"
            case EACCES, EPERM: "permission denied"
            case EFBIG: "the file is too large"
            case ELOOP: "its links form a loop"
            default: "it is not a readable file"
            }
    }
}
