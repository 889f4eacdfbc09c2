import Presentation
import SystemIO
import Text

/// The project's folder in the repository that a CI job checked out.
struct RepositoryFolder {
    /// The path with a trailing slash.
    ///
    /// Empty if there is no such repository, or the project is its root or outside of it.
    let path: String
    /// Where links to the project's files lead: to the commit's pages in a CI job.
    let sources: SourceLinks

    init(_ options: ProjectOptions) {
        self.init(options.directory, variables: CommandContext.current.variables)
    }

    init(_ directory: String, variables: [String: String]) {
        // GitHub expects paths relative to the repository.
        path = Self.path(of: directory, in: variables["GITHUB_WORKSPACE"]) ?? ""
        sources = Self.sources(of: directory, variables: variables) ?? .besidePage
    }

    /// Variables as documented by GitHub Actions ("Variables reference") and GitLab ("Predefined
    /// CI/CD variables reference").
    private static func sources(
        of directory: String,
        variables: [String: String]
    ) -> SourceLinks? {
        func text(_ name: String) -> String? {
            variables[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        if let server = text("GITHUB_SERVER_URL"), let name = text("GITHUB_REPOSITORY"),
            let commit = text("GITHUB_SHA"),
            let folder = path(of: directory, in: text("GITHUB_WORKSPACE"))
        {
            return .repository(
                "\(server)/\(name)/blob/\(commit)/\(folder.percentEncoded(keeping: "/"))"
            )
        }
        if let project = text("CI_PROJECT_URL"), let commit = text("CI_COMMIT_SHA"),
            let folder = path(of: directory, in: text("CI_PROJECT_DIR"))
        {
            return .repository("\(project)/-/blob/\(commit)/\(folder.percentEncoded(keeping: "/"))")
        }
        return nil
    }

    /// Empty for the workspace itself; nil if the directory is not in it.
    private static func path(of directory: String, in workspace: String?) -> String? {
        guard let workspace, !workspace.isEmpty, let root = RealPath.of(workspace),
            let project = RealPath.of(directory)
        else { return nil }
        if project == root { return "" }
        return project.hasPrefix(root + "/") ? project.dropFirst(root.count + 1) + "/" : nil
    }
}
