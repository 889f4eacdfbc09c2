/// The directories whose files a project may name.
package struct FolderBounds: Hashable, Sendable {
    /// Absolute, without links.
    private let folders: [String]

    /// The project's directory, and others that the operator allows.
    package init(_ directory: String, and others: [String] = []) {
        folders = ([directory] + others).compactMap(RealPath.of)
    }

    /// Whether a path is one of the directories or below one, after all links.
    ///
    /// A missing file is, because opening it fails anyway.
    package func contain(_ path: String) -> Bool {
        guard let real = RealPath.of(path) else { return true }
        return folders.contains { folder in
            let prefix = folder.hasSuffix("/") ? folder : folder + "/"
            return real.utf8.elementsEqual(folder.utf8) || real.utf8.starts(with: prefix.utf8)
        }
    }
}
