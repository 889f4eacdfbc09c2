import CBuild

/// What `herald --version` says.
///
/// The commit comes from whoever built the program. Where he did not say, nobody knows it.
struct ReleaseText {
    let release: String

    var line: String { "herald \(release) (\(Self.origin(String(cString: herald_build_commit))))" }

    private static func origin(_ commit: String) -> String {
        let dirty = "-dirty"
        guard !commit.isEmpty else { return "commit unknown: built without make" }
        guard commit.hasSuffix(dirty) else { return "commit \(commit)" }
        return "commit \(commit.dropLast(dirty.count)), with uncommitted changes"
    }
}
