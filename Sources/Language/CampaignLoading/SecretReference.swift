import Text

/// A reference to a secret in an environment's credentials and keys; not a secret itself.
enum SecretReference {
    /// Whether a key of an environment contains references, or is a likely misspelling of such a
    /// key.
    static func isExpected(under key: String, in path: [String]) -> Bool {
        guard path.count >= 2, path[0] == environments || near(path[0], to: [environments]) else {
            return false
        }
        return keys.contains(key) || near(key, to: keys)
    }

    /// Accepts `application-default`, `env:NAME`, `command:…`, `${NAME}`, or a path that is
    /// recognized by its beginning or end.
    static func isOne(_ text: String) -> Bool {
        let end = text.split(separator: ".").last.map { $0.lowercased() }
        return text.isEmpty || text == "application-default" || text.hasPrefix("env:")
            || text.hasPrefix("command:")
            || (text.hasPrefix("${") && text.hasSuffix("}"))
            || ["./", "../", "~/"].contains { text.hasPrefix($0) }
            || (text.contains(".") && end.map(extensions.contains) ?? false)
    }

    private static let environments = "environments"
    private static let keys = ["credentials", "encryption", "key", "previous"]
    private static let extensions: Set<String> = [
        "json", "key", "pem", "p8", "p12", "pfx", "txt", "yaml", "yml", "b64", "bin", "secret",
    ]

    private static func near(_ key: String, to candidates: [String]) -> Bool {
        let near = candidates.filter { abs($0.utf8.count - key.utf8.count) <= 3 }
        return SpellingSuggestion.key(key, among: near) != nil
    }
}
