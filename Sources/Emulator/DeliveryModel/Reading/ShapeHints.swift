import Text

/// Hints that Google's answers do not have, so only refusals of the control API have them.
extension MessageShape {
    func suggestion(for key: String) -> String {
        guard typeName.isHerald else { return "" }
        let nearest = SpellingSuggestion.key(key, among: fields.map(\.key))
        return nearest.map { " Did you mean '\($0)'?" } ?? ""
    }
}

extension FieldKind {
    var choices: String {
        guard case .enumeration(let typeName, let names) = self, typeName.isHerald else {
            return ""
        }
        let isLower = Self.lowerCase.contains(typeName)
        let shown = names.map { isLower ? $0.lowercased() : $0 }.sorted()
        return ". It must be one of \(shown.joined(separator: ", "))."
    }

    /// The enumerations whose names the documentation writes in lower case.
    private static let lowerCase: Set<String> = [
        "herald.Platform", "herald.ClockMode", "herald.ExcessFanOuts",
    ]
}

extension String {
    fileprivate var isHerald: Bool { hasPrefix("herald.") }
}
