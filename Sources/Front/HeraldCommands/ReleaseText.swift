import CBuild

/// The output of `herald --version`.
///
/// The build sets the commit. Without it, the commit is unknown.
struct ReleaseText {
    let release: String

    var line: String { "herald \(release) (\(Self.origin(String(cString: herald_build_commit))))" }

    private static func origin(_ commit: String) -> String {
        let dirty = "-dirty"
        guard !commit.isEmpty else { return "commit unknown: built without make" }
        guard commit.hasSuffix(dirty) else { return "commit \(commit)" }
        return "commit \(commit.dropLast(dirty.count)), with changes that were not committed"
    }
}
