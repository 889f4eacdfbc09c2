import ArgumentParser
import CampaignLoading
import CampaignModel
import FoundationEssentials
import Time

extension CompletionKind {
    /// Campaigns of the project that the command line selects.
    static let campaigns = custom { words, _, _ in CompletedNames(words).campaigns }
    /// Campaigns and audiences.
    static let selected = custom { words, _, _ in CompletedNames(words).selected }
    /// Environments, including `local`, which always exists.
    static let environments = custom { words, _, _ in CompletedNames(words).environments }
    /// Rules and error codes.
    static let explained = custom { _, _, _ in NamedExplanation.names }
}

/// The names that shell completion offers.
///
/// Reads invalid files as far as possible and prints no problems.
///
/// Shells expand completions. All names are safe because they consist of letters, digits, `-`, `_`
/// and `.`.
struct CompletedNames {
    private let directory: String

    /// `words`: the command line as typed, including its quotation marks.
    init(_ words: [String]) {
        directory = Self.directory(words)
    }

    var campaigns: [String] {
        loader.load(directory: directory).declarations.campaigns
            .compactMap { $0.value.campaign?.value.rawValue }
            .sorted()
    }

    var selected: [String] {
        let declarations = loader.load(directory: directory).declarations
        let campaigns = declarations.campaigns.compactMap { $0.value.campaign?.value.rawValue }
        let audiences = declarations.audiences.compactMap { $0.value.audience?.value.rawValue }
        return (campaigns + audiences).sorted()
    }

    var environments: [String] {
        let project = loader.loadProjectFile(directory: directory).declarations.project
        let declared = project?.environments?.value.map(\.name.value.rawValue) ?? []
        return Set(declared + ["local"]).sorted()
    }

    private var loader: ProjectLoader {
        ProjectLoader(zones: .system(environment: CommandContext.current.variables))
    }

    /// The last directory given on the command line; the command itself uses the last one, too.
    private static func directory(_ words: [String]) -> String {
        let following = zip(words, words.dropFirst())
            .filter { ["-C", "--directory"].contains($0.0) }
            .map(\.1)
        let joined = words.filter { $0.hasPrefix("--directory=") }
            .map { String($0.dropFirst("--directory=".count)) }
        guard let named = (joined + following).last else { return "." }
        return expanded(String(named.filter { !"'\"\\".contains($0) }))
    }

    private static func expanded(_ path: String) -> String {
        guard path == "~" || path.hasPrefix("~/") else { return path }
        return (CommandContext.current.variables["HOME"] ?? "") + path.dropFirst()
    }
}
