import YAMLSyntax

/// The meaning of a YAML text, regardless of its form.
///
/// Two texts with the same meaning are equal.
enum YAMLMeaning: Hashable {
    /// Plain scalars can have another meaning than text.
    case text(String, isPlain: Bool)
    case list([YAMLMeaning])
    case mapping([String: YAMLMeaning])

    init(_ node: SyntaxNode) {
        switch node.content {
        case .scalar(let scalar): self = .text(scalar.text, isPlain: scalar.style == .plain)
        case .sequence(let elements): self = .list(elements.map(YAMLMeaning.init))
        case .mapping(let entries):
            let pairs = entries.map { ($0.key.scalar?.text ?? "", YAMLMeaning($0.value)) }
            self = .mapping(Dictionary(pairs) { first, _ in first })
        }
    }

    private var entries: [String: YAMLMeaning] {
        if case .mapping(let entries) = self { entries } else { [:] }
    }

    /// Returns the meaning with a quoted text at a path of keys.
    ///
    /// An environment that is created on the way uses an emulator.
    func setting(_ path: ArraySlice<String>, to text: String) -> YAMLMeaning {
        guard let key = path.first else { return .text(text, isPlain: false) }
        var entries = entries
        let isNewEnvironment = path.count == 3 && entries[key] == nil
        let emulator: YAMLMeaning = .mapping(["emulator": .mapping([:])])
        let old = entries[key] ?? (isNewEnvironment ? emulator : .mapping([:]))
        entries[key] = old.setting(path.dropFirst(), to: text)
        return .mapping(entries)
    }
}
