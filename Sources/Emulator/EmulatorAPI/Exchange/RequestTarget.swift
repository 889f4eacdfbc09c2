import DeliveryModel
import Text

/// The parsed target of a request.
package struct RequestTarget {
    package let path: Substring
    private let query: Substring

    package init(_ text: String) {
        let end = text.utf8.firstIndex(of: UInt8(ascii: "?")) ?? text.endIndex
        path = text[..<end]
        query = Substring(text.utf8[end...].dropFirst())
    }

    /// Returns the first value of the query parameter; of several names, the first that is present
    /// counts.
    package func parameter(_ names: String...) -> String? {
        guard !query.isEmpty else { return nil }
        for name in names {
            if let pair = pairs.first(where: { $0.name == name }) { return pair.value }
        }
        return nil
    }

    private var pairs: some Sequence<(name: String, value: String)> {
        query.utf8.split(separator: UInt8(ascii: "&")).lazy.map { pair in
            let end = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            let value = pair[end...].dropFirst()
            return (Substring(pair[..<end]).formDecoded, Substring(value).formDecoded)
        }
    }

    /// Returns the query as sent, without one parameter.
    func query(without name: String) -> String {
        query.split(separator: "&").filter { !$0.hasPrefix(name + "=") }.joined(separator: "&")
    }

    /// Accepts the parameters that all Google APIs have, and `names`, also in snake_case.
    func refuseUnknownParameters(but names: [String] = []) throws(GoogleError) {
        guard !query.isEmpty else { return }
        let unknown = pairs.map(\.name).filter { name in
            !Self.common.contains(name) && !name.hasPrefix("$")
                && !names.contains { $0 == name || $0.snakeCase == name }
        }
        guard unknown.isEmpty else {
            throw .malformedRequest(
                unknown.map { name in
                    FieldViolation(
                        description: "Invalid JSON payload received. Unknown name \"\(name)\": "
                            + "Cannot bind query parameter. Field '\(name)' could not be found in "
                            + "request message."
                    )
                }
            )
        }
    }

    /// Refuses all other query parameters, and repeated ones.
    func refuseParameters(otherThan names: [String]) throws(GoogleError) {
        var known: Set<String> = []
        for pair in pairs {
            guard names.contains(pair.name) else {
                // Anything but a name may be a secret.
                let isName = pair.name.allSatisfy { $0.isASCII && ($0.isLetter || $0 == "_") }
                let nearest = isName ? SpellingSuggestion.key(pair.name, among: names) : nil
                throw .control(
                    isName ? pair.name : "",
                    because:
                        "Unknown query parameter\(isName ? " `\(pair.name)`" : "")."
                        + (nearest.map { " Did you mean `\($0)`?" } ?? "") + " This path has "
                        + names.joined(separator: ", ") + "."
                )
            }
            guard known.insert(pair.name).inserted else {
                throw .control(pair.name, because: "It is repeated.")
            }
        }
    }

    /// The parameters of all Google APIs (Google Cloud documentation, System parameters).
    ///
    /// They do not change the answer, which is always JSON.
    private static let common: Set<String> = [
        "access_token", "alt", "callback", "fields", "key", "oauth_token", "prettyPrint",
        "quotaUser", "uploadType", "upload_protocol", "userIp",
    ]
}

extension String {
    fileprivate var snakeCase: String {
        reduce(into: "") { text, character in
            text += character.isUppercase ? "_" + character.lowercased() : String(character)
        }
    }
}
