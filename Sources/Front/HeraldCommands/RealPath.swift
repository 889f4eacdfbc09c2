import Glibc

/// Resolves links in paths.
enum RealPath {
    /// The absolute path without links; nil if the file does not exist.
    static func of(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }
}
