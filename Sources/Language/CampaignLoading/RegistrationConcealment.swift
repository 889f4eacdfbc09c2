import Diagnostics
import Text
import YAMLSyntax

/// Finds the registrations that stand in a file, so that no diagnostic shows them: whoever knows
/// one and holds a credential can write to that device.
package enum RegistrationConcealment {
    /// What stands where the language has registrations, also below a misspelt key.
    static func places(in tree: SyntaxTree) -> [SourceSpan] {
        var places: [SourceSpan] = []
        for document in tree.documents { collect(document, at: [], .none, &places) }
        return places
    }

    /// What hides a text.
    private enum Secrecy {
        case none
        case registration
        /// It should say where a secret lies, and may be one.
        case reference

        func hides(_ text: String) -> Bool {
            switch self {
            case .none: false
            case .registration: true
            case .reference: !SecretReference.isOne(text)
            }
        }
    }

    /// `path`: the keys that lead to the node.
    private static func collect(
        _ node: SyntaxNode,
        at path: [String],
        _ secrecy: Secrecy,
        _ places: inout [SourceSpan]
    ) {
        switch node.content {
        case .scalar(let scalar): if secrecy.hides(scalar.text) { places.append(node.span) }
        case .sequence(let nodes):
            for node in nodes { collect(node, at: path, secrecy, &places) }
        case .mapping(let entries):
            for entry in entries {
                let name = entry.key.scalar?.text ?? ""
                let key = meaning(of: name, in: path)
                if key == many {
                    collectList(entry.value, at: path + [name], secrecy, &places)
                } else {
                    let isReference = SecretReference.isExpected(under: name, in: path)
                    let own: Secrecy = key != nil ? .registration : isReference ? .reference : .none
                    collect(
                        entry.value,
                        at: path + [name],
                        secrecy == .registration || own == .none ? secrecy : own,
                        &places
                    )
                }
            }
        }
    }

    /// What stands directly under `registrations` is the path of a list, or says which it is.
    private static func collectList(
        _ list: SyntaxNode,
        at path: [String],
        _ secrecy: Secrecy,
        _ places: inout [SourceSpan]
    ) {
        guard let entries = list.entries else {
            collect(list, at: path, list.scalar == nil ? .registration : secrecy, &places)
            return
        }
        for entry in entries {
            let isDescription =
                entry.value.scalar != nil
                && ListDeclaration.reader.keys.contains(entry.key.scalar?.text ?? "")
            collect(entry.value, at: path, isDescription ? secrecy : .registration, &places)
        }
    }

    private static let many = "registrations"
    private static let keys = ["registration", many, "live_activity_token", "postgres"]
    /// The names that registrations have in FCM's own messages, where people may bring them from.
    private static let foreignKeys = [
        "token", "tokens", "fid", "fids", "registration_id", "registration_ids",
        "notification_key",
    ]

    /// The legacy protocols' name, which means other things elsewhere: the end of quiet hours, a
    /// ferry's destination in data.
    private static let recipient = "to"

    private static func meaning(of key: String, in path: [String]) -> String? {
        if keys.contains(key) || foreignKeys.contains(key) { return key }
        if key == recipient { return isMessage(path) ? key : nil }
        let near = keys.filter { abs($0.utf8.count - key.utf8.count) <= 2 }
        return near.isEmpty ? nil : SpellingSuggestion.key(key, among: near)
    }

    /// A document is one where somebody has pasted a message.
    private static func isMessage(_ path: [String]) -> Bool {
        path.isEmpty || path.firstIndex(of: "message") == path.count - 1
    }

    /// Whether a text has one of FCM's registrations in it, or the server key of its legacy
    /// protocols, which has the same mark.
    package static func looksLikeRegistration(_ text: String) -> Bool {
        let kinds = SecretText.kinds(in: text)
        return kinds.contains(.registration) || kinds.contains(.legacyServerKey)
    }
}
