import Glibc

/// Resolves links in paths.
package enum RealPath {
    /// The absolute path without links; nil if the file does not exist.
    package static func of(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }
}
