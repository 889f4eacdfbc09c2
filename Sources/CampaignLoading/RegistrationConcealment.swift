import Diagnostics
import YAMLSyntax

/// Finds the registrations that stand in a file, so that no diagnostic shows them: whoever knows
/// one and holds a credential can write to that device.
package enum RegistrationConcealment {
    /// What stands where the language has registrations, also below a misspelt key.
    static func places(in tree: SyntaxTree) -> [SourceSpan] {
        var places: [SourceSpan] = []
        for document in tree.documents { collect(document, isSecret: false, &places) }
        return places
    }

    private static func collect(
        _ node: SyntaxNode,
        isSecret: Bool,
        _ places: inout [SourceSpan]
    ) {
        switch node.content {
        case .scalar: if isSecret { places.append(node.span) }
        case .sequence(let nodes): for node in nodes { collect(node, isSecret: isSecret, &places) }
        case .mapping(let entries):
            for entry in entries {
                let key = meaning(of: entry.key.scalar?.text ?? "")
                if key == many {
                    collectList(entry.value, isSecret: isSecret, &places)
                } else {
                    collect(entry.value, isSecret: isSecret || key != nil, &places)
                }
            }
        }
    }

    /// What stands directly under `registrations` is the path of a list, or says which it is.
    private static func collectList(
        _ list: SyntaxNode,
        isSecret: Bool,
        _ places: inout [SourceSpan]
    ) {
        guard let entries = list.entries else {
            collect(list, isSecret: isSecret || list.scalar == nil, &places)
            return
        }
        for entry in entries {
            let isDescription =
                entry.value.scalar != nil
                && ListDeclaration.reader.keys.contains(entry.key.scalar?.text ?? "")
            collect(entry.value, isSecret: isSecret || !isDescription, &places)
        }
    }

    private static let many = "registrations"
    private static let keys = ["registration", many, "live_activity_token"]
    /// The names that registrations have in FCM's own messages, where people may bring them from.
    private static let foreignKeys = [
        "token", "tokens", "fid", "fids", "to", "registration_id", "registration_ids",
        "notification_key",
    ]

    private static func meaning(of key: String) -> String? {
        if keys.contains(key) || foreignKeys.contains(key) { return key }
        let near = keys.filter { abs($0.utf8.count - key.utf8.count) <= 2 }
        return near.isEmpty ? nil : SpellingSuggestion.key(key, among: near)
    }

    /// What looks like one of FCM's registrations, wherever it stands and whether or not the file
    /// is YAML: they carry this mark between two runs of letters, digits, `-` and `_`.
    static func places(in bytes: [UInt8], of source: SourceID) -> [SourceSpan] {
        var places: [SourceSpan] = []
        var end = 0
        for index in bytes.indices where bytes[index] == mark[0] && index >= end {
            guard bytes[index...].starts(with: mark) else { continue }
            let start = bytes[end..<index].lastIndex { !isTokenByte($0) }.map { $0 + 1 } ?? end
            end = bytes[(index + 1)...].firstIndex { !isTokenByte($0) } ?? bytes.count
            places.append(SourceSpan(source: source, start: start, end: end))
        }
        return places
    }

    package static func looksLikeRegistration(_ text: String) -> Bool {
        !places(in: Array(text.utf8), of: SourceID(index: 0)).isEmpty
    }

    private static let mark = Array(":APA91b".utf8)

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
