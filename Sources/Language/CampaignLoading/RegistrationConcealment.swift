import Diagnostics
import Text
import YAMLSyntax

/// Finds the registrations in a file, so that no diagnostic shows them.
///
/// Anyone who has a registration and a credential can send to that device.
package enum RegistrationConcealment {
    /// Returns the values of keys for registrations, including misspelled keys.
    static func places(in tree: SyntaxTree) -> [SourceSpan] {
        var places: [SourceSpan] = []
        for document in tree.documents { collect(document, at: [], secrecy: .none, into: &places) }
        return places
    }

    /// The reason to hide a text.
    private enum Secrecy {
        case none
        case registration
        /// The text should name the place of a secret, but it may be the secret itself.
        case reference

        func hides(_ text: String) -> Bool {
            switch self {
            case .none: false
            case .registration: true
            case .reference: !SecretReference.isOne(text)
            }
        }
    }

    /// `path`: The keys that lead to the node.
    private static func collect(
        _ node: SyntaxNode,
        at path: [String],
        secrecy: Secrecy,
        into places: inout [SourceSpan]
    ) {
        switch node.content {
        case .scalar(let scalar): if secrecy.hides(scalar.text) { places.append(node.span) }
        case .sequence(let nodes):
            for node in nodes { collect(node, at: path, secrecy: secrecy, into: &places) }
        case .mapping(let entries):
            for entry in entries {
                let name = entry.key.scalar?.text ?? ""
                let key = meaning(of: name, in: path)
                if key == many {
                    collectList(entry.value, at: path + [name], secrecy: secrecy, into: &places)
                } else {
                    let isReference = SecretReference.isExpected(under: name, in: path)
                    let own: Secrecy = key != nil ? .registration : isReference ? .reference : .none
                    collect(
                        entry.value,
                        at: path + [name],
                        secrecy: secrecy == .registration || own == .none ? secrecy : own,
                        into: &places
                    )
                }
            }
        }
    }

    /// A text directly under `registrations` is the path or the description of a list.
    private static func collectList(
        _ list: SyntaxNode,
        at path: [String],
        secrecy: Secrecy,
        into places: inout [SourceSpan]
    ) {
        guard let entries = list.entries else {
            collect(
                list,
                at: path,
                secrecy: list.scalar == nil ? .registration : secrecy,
                into: &places
            )
            return
        }
        for entry in entries {
            let isDescription =
                entry.value.scalar != nil
                && ListDeclaration.reader.keys.contains(entry.key.scalar?.text ?? "")
            collect(
                entry.value,
                at: path,
                secrecy: isDescription ? secrecy : .registration,
                into: &places
            )
        }
    }

    private static let many = "registrations"
    private static let keys = ["registration", many, "live_activity_token", "postgres"]
    /// The names of registrations in FCM's own messages, from which authors may copy them.
    private static let foreignKeys = [
        "token", "tokens", "fid", "fids", "registration_id", "registration_ids",
        "notification_key",
    ]

    /// A name in the legacy protocols that has other meanings elsewhere.
    ///
    /// For example, it is the end of quiet hours, or a ferry's destination in data.
    private static let recipient = "to"

    private static func meaning(of key: String, in path: [String]) -> String? {
        if keys.contains(key) || foreignKeys.contains(key) { return key }
        if key == recipient { return isMessage(path) ? key : nil }
        let near = keys.filter { abs($0.utf8.count - key.utf8.count) <= 2 }
        return near.isEmpty ? nil : SpellingSuggestion.key(key, among: near)
    }

    /// A whole document is a message if it was pasted there.
    private static func isMessage(_ path: [String]) -> Bool {
        path.isEmpty || path.firstIndex(of: "message") == path.count - 1
    }

    /// Whether a text contains an FCM registration or a server key of the legacy protocols.
    ///
    /// Both have the same distinctive part.
    package static func looksLikeRegistration(_ text: String) -> Bool {
        let kinds = SecretText.kinds(in: text)
        return kinds.contains(.registration) || kinds.contains(.legacyServerKey)
    }
}
