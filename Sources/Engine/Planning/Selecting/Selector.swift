import CampaignModel

/// One value of `--only` or `--except`.
enum Selector: Hashable {
    case name(String)
    /// Matches any value if none is given.
    case label(String, value: String?)
    /// Names of campaigns and audiences.
    case names(Glob)
    /// A file, everything in a folder, or a pattern of paths.
    case path(Glob)

    /// Parses a selector; an existing name always means that name, regardless of its form.
    init(_ text: String, in catalog: SelectionCatalog) {
        if catalog.names.contains(text) {
            self = .name(text)
        } else if text.hasPrefix(Self.labelPrefix) {
            let parts = text.dropFirst(Self.labelPrefix.count)
                .split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? String(parts[1]) : nil
            self = .label(parts.first.map(String.init) ?? "", value: value)
        } else if text.contains("/") || catalog.hasFolder(text) {
            self = .path(Glob(text.hasPrefix("./") ? String(text.dropFirst(2)) : text))
        } else if text.contains("*") || text.contains("?") {
            self = .names(Glob(text))
        } else {
            self = .name(text)
        }
    }

    static let labelPrefix = "label:"

    func matches(_ campaign: SelectableCampaign) -> Bool {
        switch self {
        case .name(let name): campaign.names.contains { $0.rawValue == name }
        case .label(let name, let value): campaign.labels.has(name, value: value)
        case .names(let glob): campaign.names.contains { glob.matches($0.rawValue) }
        case .path(let glob): campaign.path.map(glob.matchesPath) ?? false
        }
    }

    func matches(_ audience: SelectableAudience) -> Bool {
        switch self {
        case .name(let name): audience.id.rawValue == name
        case .label(let name, let value): audience.labels.has(name, value: value)
        case .names(let glob): glob.matches(audience.id.rawValue)
        case .path(let glob): audience.paths.contains(where: glob.matchesPath)
        }
    }
}

extension [String: String] {
    fileprivate func has(_ name: String, value: String?) -> Bool {
        self[name].map { value == nil || $0 == value } ?? false
    }
}

extension SelectionCatalog {
    /// Every name that a campaign or audience has or had.
    var names: Set<String> {
        Set(campaigns.flatMap(\.names).map(\.rawValue)).union(audiences.map(\.id.rawValue))
    }

    /// Returns names that the user may have meant with a selector without a match.
    func candidates(for selector: Selector) -> [String] {
        let labels = campaigns.map(\.labels) + audiences.map(\.labels)
        switch selector {
        case .name, .names: return names.sorted() + paths
        case .path: return paths
        case .label(let name, let value):
            let values = Set(labels.compactMap { $0[name] }).sorted()
            guard value != nil, !values.isEmpty else {
                return Set(labels.flatMap(\.keys)).sorted().map { Self.labelled($0) }
            }
            return values.map { Self.labelled(name + "=" + $0) }
        }
    }

    private static func labelled(_ text: String) -> String { Selector.labelPrefix + text }

    fileprivate func hasFolder(_ name: String) -> Bool {
        paths.contains { $0.hasPrefix(name + "/") }
    }

    private var paths: [String] {
        Set(campaigns.compactMap(\.path) + audiences.flatMap(\.paths)).sorted()
    }
}
