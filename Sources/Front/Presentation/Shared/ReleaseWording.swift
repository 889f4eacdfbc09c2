/// The output of `herald --version`.
package struct ReleaseWording: Sendable {
    private let release: String
    private let commit: String

    /// `commit`: the commit of the build, with `-dirty` if files were changed; empty if unknown.
    package init(release: String, commit: String) {
        self.release = release
        self.commit = commit
    }

    package var line: String { "herald \(release) (\(origin))" }

    private var origin: String {
        let dirty = "-dirty"
        guard !commit.isEmpty else { return "commit unknown: built without make" }
        guard commit.hasSuffix(dirty) else { return "commit \(commit)" }
        return "commit \(commit.dropLast(dirty.count)), with uncommitted changes"
    }
}
