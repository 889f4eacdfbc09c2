import Diagnostics
import YAMLSyntax

/// Finds the registrations that stand in a file, so that no diagnostic shows them: whoever knows
/// one and holds a credential can write to that device.
package enum RegistrationConcealment {
    /// What stands where the language has registrations, also below a misspelt key.
    static func places(inYAML bytes: [UInt8], of source: SourceID) -> [SourceSpan] {
        var log = DiagnosticLog()
        let tree = YAMLParser.parse(bytes, source: source, into: &log)
        var places: [SourceSpan] = []
        for document in tree?.documents ?? [] {
            collect(document, at: [], isSecret: false, &places)
        }
        return places
    }

    /// `path`: the keys that lead to the node.
    private static func collect(
        _ node: SyntaxNode,
        at path: [String],
        isSecret: Bool,
        _ places: inout [SourceSpan]
    ) {
        switch node.content {
        case .scalar: if isSecret { places.append(node.span) }
        case .sequence(let nodes):
            for node in nodes { collect(node, at: path, isSecret: isSecret, &places) }
        case .mapping(let entries):
            for entry in entries {
                let name = entry.key.scalar?.text ?? ""
                let key = meaning(of: name, in: path)
                if key == many {
                    collectList(entry.value, at: path + [name], isSecret: isSecret, &places)
                } else {
                    let isHere = isSecret || key != nil
                    collect(entry.value, at: path + [name], isSecret: isHere, &places)
                }
            }
        }
    }

    /// What stands directly under `registrations` is the path of a list, or says which it is.
    private static func collectList(
        _ list: SyntaxNode,
        at path: [String],
        isSecret: Bool,
        _ places: inout [SourceSpan]
    ) {
        guard let entries = list.entries else {
            collect(list, at: path, isSecret: isSecret || list.scalar == nil, &places)
            return
        }
        for entry in entries {
            let isDescription =
                entry.value.scalar != nil
                && ListDeclaration.reader.keys.contains(entry.key.scalar?.text ?? "")
            collect(entry.value, at: path, isSecret: isSecret || !isDescription, &places)
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

    /// What looks like one of FCM's registrations, wherever it stands and whether or not the file
    /// is YAML: they carry this mark between two runs of letters, digits, `-` and `_`.
    static func places(in bytes: [UInt8], of source: SourceID) -> [SourceSpan] {
        var places: [SourceSpan] = []
        var end = 0
        for index in bytes.indices where bytes[index] == mark[0] && index >= end {
            guard bytes[index...].starts(with: mark) else { continue }
            let start =
                bytes[end..<index].lastIndex { !SecretText.isTokenByte($0) }.map { $0 + 1 } ?? end
            end = bytes[(index + 1)...].firstIndex { !SecretText.isTokenByte($0) } ?? bytes.count
            places.append(SourceSpan(source: source, start: start, end: end))
        }
        return places
    }

    package static func looksLikeRegistration(_ text: String) -> Bool {
        !places(in: Array(text.utf8), of: SourceID(index: 0)).isEmpty
    }

    private static let mark = Array(":APA91b".utf8)
}
