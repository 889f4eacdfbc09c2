import CampaignModel
package import YAMLSyntax

extension SyntaxNode {
    /// Merges this node over the defaults.
    ///
    /// Mappings are merged deeply, all other values of this node win, and a null removes the
    /// default. Every node keeps its place, so messages and origins refer to the correct file.
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

    /// Returns the mapping with only these keys.
    ///
    /// Keys that defaults must not contain are reported once there, not for every campaign.
    func keeping(_ keys: [String]) -> SyntaxNode {
        guard let entries else { return self }
        let kept = entries.filter { keys.contains($0.key.scalar?.text ?? "") }
        return SyntaxNode(span: span, content: .mapping(kept))
    }
}

extension SyntaxNode {
    /// Returns the defaults of the project file for an environment.
    ///
    /// The environment's own defaults are merged over the project's.
    func defaults(for environment: EnvironmentID?) -> SyntaxNode? {
        let keys = DefaultsDeclaration.reader.keys
        let common = value(of: "defaults")?.keeping(keys)
        guard let environment,
            let own = value(of: "environments")?.value(of: environment.rawValue)?
                .value(of: "defaults")?.keeping(keys)
        else { return common }
        return common.map { own.merged(over: $0) } ?? own
    }

    /// The project file without the nulls by which environments remove defaults.
    ///
    /// Such a null is correct, but it is not a value of its key.
    var withoutRemovedDefaults: SyntaxNode {
        guard let defaults = value(of: "defaults") else { return self }
        return mapping("environments") { environments in
            environments.mappingEach { environment in
                environment.mapping("defaults") { $0.withoutNulls(over: defaults) }
            }
        }
    }

    /// Returns the mapping without the nulls that remove defaults.
    func withoutNulls(over defaults: SyntaxNode) -> SyntaxNode {
        guard let own = entries else { return self }
        let kept = own.compactMap { entry -> SyntaxEntry? in
            guard let base = defaults.value(of: entry.key.scalar?.text ?? "") else { return entry }
            if entry.value.isNull { return nil }
            return SyntaxEntry(key: entry.key, value: entry.value.withoutNulls(over: base))
        }
        return SyntaxNode(span: span, content: .mapping(kept))
    }
}

extension SyntaxNode {
    /// The campaign with complete messages for its variants and locales.
    ///
    /// Their messages contain only the differences; each is merged over the campaign's own.
    var withWholeMessages: SyntaxNode {
        guard value(of: "variants") != nil || value(of: "locales") != nil,
            let message = value(of: "message")
        else { return self }
        return mapping("variants") { variants in
            variants.mappingEach { $0.mapping("message") { $0.merged(over: message) } }
        }.mapping("locales") { locales in
            locales.mappingEach { $0.merged(over: message) }
        }
    }

    /// The maximum number of values that `withWholeMessages` repeats.
    var sizeOfInheritedMessages: Int {
        let count =
            (value(of: "variants")?.entries?.count ?? 0)
            + (value(of: "locales")?.entries?.count ?? 0)
        return count == 0 ? 0 : count * (value(of: "message")?.size ?? 0)
    }

    /// The number of scalars, lists and mappings, including this node.
    var size: Int {
        switch content {
        case .scalar: 1
        case .sequence(let elements): elements.reduce(1) { $0 + $1.size }
        case .mapping(let entries): entries.reduce(1) { $0 + 1 + $1.value.size }
        }
    }

    func value(of key: String) -> SyntaxNode? {
        guard let entries else { return nil }
        let span = entries.span
        for place in span.indices where span[place].key.scalar?.text == key {
            return span[place].value
        }
        return nil
    }

    func mapping(_ key: String, change: (SyntaxNode) -> SyntaxNode) -> SyntaxNode {
        mappingEntries { $0.key.scalar?.text == key ? change($0.value) : $0.value }
    }

    func mappingEach(_ change: (SyntaxNode) -> SyntaxNode) -> SyntaxNode {
        mappingEntries { change($0.value) }
    }

    private func mappingEntries(_ value: (SyntaxEntry) -> SyntaxNode) -> SyntaxNode {
        guard let entries else { return self }
        let changed = entries.map { SyntaxEntry(key: $0.key, value: value($0)) }
        return SyntaxNode(span: span, content: .mapping(changed))
    }
}
