import JSON
import Text

/// The fields of a token endpoint request: a form, or a JSON object whose names may be in
/// lowerCamelCase.
struct FormFields {
    private var values: [String: String] = [:]
    let isJSON: Bool

    init(_ request: AuthRequest) {
        isJSON = request.json?.objectValue != nil
        if let object = request.json?.objectValue {
            for member in object.members {
                values[member.key.snakeCased] = member.value.stringValue
            }
        } else {
            read(form: String(decoding: request.body, as: UTF8.self)[...])
        }
    }

    private mutating func read(form: Substring) {
        for pair in form.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            values[parts[0].formDecoded] = parts.count > 1 ? parts[1].formDecoded : ""
        }
    }

    /// Returns the value of a field; an empty field counts as missing.
    subscript(name: String) -> String? {
        guard let value = values[name], !value.isEmpty else { return nil }
        return value
    }

    func required(_ name: String) throws(OAuthError) -> String {
        guard let value = self[name] else { throw .missing(name) }
        return value
    }
}

extension String {
    /// The text in snake_case: `grantType` becomes `grant_type`.
    fileprivate var snakeCased: String {
        reduce(into: "") { text, character in
            guard character.isUppercase else { return text.append(character) }
            text += "_" + character.lowercased()
        }
    }
}
