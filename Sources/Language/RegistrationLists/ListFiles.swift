package import CampaignModel

/// A file of a list, or the output of a source.
struct ListFile {
    /// As messages name it: relative to the directory, or absolute.
    let path: String
    let fullPath: String
    /// Nil for a file.
    private let output: SourceOutput?

    init(path: String, in directory: String) {
        self.path = path
        fullPath = RegistrationListError.fullPath(path, in: directory)
        output = nil
    }

    init(_ output: SourceOutput, of source: ListSourceID) {
        path = RegistrationFile.path(of: source)
        fullPath = path
        self.output = output
    }

    func open() throws(RegistrationListError.Reason) -> FileBlocks {
        guard let output else { return try FileBlocks(path: fullPath) }
        return try FileBlocks(output)
    }
}

/// The files that the path of a list names, in the order of the list.
struct ListFiles {
    let all: [ListFile]
    /// Whether the path is a pattern, so that messages name the file that they are about.
    let isPattern: Bool

    /// Finds the files of a pattern, in the byte order of their paths.
    ///
    /// A path without wildcards names a file even if there is none. A list in the YAML has no
    /// files.
    ///
    /// - Throws: `.unreadable` if the pattern is malformed, matches no file, or matches the name of
    ///   a list in another format; `.sourceNotRead`.
    init(of list: RegistrationList, in places: any ListPlaces) throws(RegistrationListError) {
        if let source = list.source {
            guard let output = places.output(of: source) else { throw .sourceNotRead(source) }
            all = [ListFile(output, of: source)]
            isPattern = false
            return
        }
        let directory = places.listDirectory
        guard let path = list.path else {
            all = []
            isPattern = false
            return
        }
        let pattern = try PathPattern(listPath: path)
        if let literal = pattern.literal {
            all = [ListFile(path: literal, in: directory)]
            isPattern = false
            return
        }
        all = try PathSearch.paths(matching: pattern, in: directory).map {
            ListFile(path: $0, in: directory)
        }
        isPattern = true
        guard !all.isEmpty else { throw .unreadable(path: path, reason: .noMatch) }
        for file in all {
            let format = RegistrationFile.Format(path: file.path)
            guard format == list.format else {
                throw .unreadable(path: file.path, reason: .otherFormat(format, among: list.format))
            }
        }
    }
}

extension RegistrationList {
    /// The paths whose changes may change the list: its files, and the directory of a pattern.
    ///
    /// `directory`: The base of relative paths.
    package func watchedPaths(in directory: String) -> [String] {
        guard source == nil, let path, let pattern = try? PathPattern(parsing: path) else {
            return []
        }
        if let literal = pattern.literal { return [literal] }
        let files = try? ListFiles(of: self, in: directory)
        return [pattern.folder.isEmpty ? "." : pattern.folder] + (files?.all.map(\.path) ?? [])
    }

    /// The paths of its files, as messages name them; empty for a list in the YAML and if the files
    /// cannot be found.
    ///
    /// `directory`: The base of relative paths.
    package func filePaths(in directory: String) -> [String] {
        (try? ListFiles(of: self, in: directory))?.all.map(\.path) ?? []
    }

    /// The full path of its file or, for a pattern, of the directory below which its files are.
    ///
    /// nil for a list in the YAML, for the output of a source and for a malformed pattern.
    package func place(in directory: String) -> String? {
        guard source == nil, let path, let pattern = try? PathPattern(parsing: path) else {
            return nil
        }
        return RegistrationListError.fullPath(pattern.literal ?? pattern.folder, in: directory)
    }

    /// The path of its only file; nil for a list in the YAML, for the output of a source and for a
    /// pattern.
    package var onlyFile: String? {
        guard source == nil else { return nil }
        return path.flatMap { try? PathPattern(parsing: $0) }?.literal
    }

    package var format: RegistrationFile.Format {
        if case .described(let file) = self { file.format } else { .text }
    }

    /// The list in one file with this path, which is not a pattern.
    package static func file(literally path: String) -> RegistrationList {
        .file(path: PathPattern.escaping(path))
    }
}

extension PathPattern {
    /// - Throws: `.unreadable` if the path is not a pattern.
    init(listPath path: String) throws(RegistrationListError) {
        do throws(PathPattern.Failure) {
            self = try PathPattern(parsing: path)
        } catch {
            throw .unreadable(path: path, reason: RegistrationListError.Reason(error))
        }
    }

    /// The directories before the first wildcard, each with a slash.
    fileprivate var folder: String {
        var folder = ""
        for component in components {
            guard case .name(let name) = component else { break }
            folder += name + "/"
        }
        return folder
    }
}

extension RegistrationListError {
    /// Returns the path of a list's file; a relative path is relative to the directory.
    static func fullPath(_ path: String, in directory: String) -> String {
        path.hasPrefix("/") ? path : directory + "/" + path
    }
}
