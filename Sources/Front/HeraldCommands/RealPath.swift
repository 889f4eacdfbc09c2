import Glibc

/// Paths without links.
enum RealPath {
    /// The absolute path of what a path leads to; nil where there is nothing.
    static func of(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }
}
