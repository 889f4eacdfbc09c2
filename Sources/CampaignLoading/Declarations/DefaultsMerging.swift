package import YAMLSyntax

extension SyntaxNode {
    /// This node with the defaults under it: mappings are merged deeply, everything else of this
    /// node wins, and a null removes the default.
    ///
    /// Every node keeps the place where it was written, so messages and origins point into the
    /// right file.
    package func merged(over defaults: SyntaxNode) -> SyntaxNode {
        guard let own = entries, let inherited = defaults.entries else { return self }
        var isInherited: [String: SyntaxNode] = [:]
        for entry in inherited { isInherited[entry.key.scalar?.text ?? ""] = entry.value }
        var names: Set<String> = []
        var result: [SyntaxEntry] = []
        for entry in own {
            let name = entry.key.scalar?.text ?? ""
            names.insert(name)
            guard let base = isInherited[name] else {
                result.append(entry)
                continue
            }
            if entry.value.isNull { continue }
            result.append(SyntaxEntry(key: entry.key, value: entry.value.merged(over: base)))
        }
        result += inherited.filter { !names.contains($0.key.scalar?.text ?? "") }
        return SyntaxNode(span: span, content: .mapping(result))
    }

    /// This mapping with no other keys: what defaults can't hold is reported there, once, and
    /// not at every campaign under which they are merged.
    func keeping(_ keys: [String]) -> SyntaxNode {
        guard let entries else { return self }
        let kept = entries.filter { keys.contains($0.key.scalar?.text ?? "") }
        return SyntaxNode(span: span, content: .mapping(kept))
    }
}
