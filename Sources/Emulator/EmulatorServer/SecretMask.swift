import JSON

/// Takes secrets out of what is recorded of a request that carries them where they don't belong.
enum SecretMask {
    static let stand: JSONValue = "<redacted>"

    /// The target without the values of such parameters; nil where there is nothing to hide.
    ///
    /// Each part of the query is looked at, and the path only where the request was refused: of
    /// one that was performed it is needed again.
    static func target(_ target: String, isRefused: Bool) -> String? {
        guard target.utf8.contains(UInt8(ascii: "?")) || isRefused else { return nil }
        let pieces = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = isRefused ? part(pieces[0], parameters) : nil
        let parts = pieces.dropFirst().flatMap {
            $0.split(separator: "&", omittingEmptySubsequences: false)
        }
        let masked = parts.map { part($0, parameters) }
        guard path != nil || masked.contains(where: { $0 != nil }) else { return nil }
        let query = zip(parts, masked).map { $1 ?? String($0) }.joined(separator: "&")
        return (path ?? String(pieces[0])) + (pieces.count > 1 ? "?" + query : "")
    }

    /// What stands for the body; nil where there is nothing to hide.
    static func body(of request: EmulatorRequest) -> JSONValue? {
        guard let json = request.json else {
            let text = String(decoding: request.body, as: UTF8.self)
            return holdsSecret(text) ? .object(RecordedExchange(of: request).body) : nil
        }
        return masked(json)
    }

    /// Whether a text is or contains a private key.
    static func holdsKey(_ text: String) -> Bool { text.contains("PRIVATE KEY-----") }

    /// A refusal without its words, which may quote what was refused.
    static func withoutWords(_ answer: JSONValue) -> JSONValue {
        switch answer {
        case .array(let elements): .array(elements.map(withoutWords))
        case .object(let object):
            .object(
                JSONObject(
                    object.members.map { member in
                        let isWords = words.contains(member.key)
                        let value = isWords ? stand : withoutWords(member.value)
                        return JSONObject.Member(key: member.key, value: value)
                    }
                )
            )
        case .string(let text) where holdsKey(text): stand
        default: answer
        }
    }

    private static let words: Set<String> = ["message", "description", "error_description"]

    /// By their letters alone, in lower case.
    private static let fields: Set<String> = [
        "accesstoken", "actortoken", "apikey", "assertion", "clientassertion", "clientsecret",
        "idtoken", "oauthtoken", "privatekey", "refreshtoken", "serverkey", "subjecttoken",
    ]
    private static let parameters = fields.union(["key"])

    private static func isSecret(_ name: some StringProtocol, _ names: Set<String>) -> Bool {
        names.contains(name.lowercased().filter(\.isLetter))
    }

    /// A part of a target, decoded, up to the value of the first secret in it.
    private static func part(_ part: Substring, _ names: Set<String>) -> String? {
        let text = part.percentDecoded
        var rest = text[...]
        while let sign = rest.firstIndex(of: "=") {
            let name = rest[..<sign].reversed().prefix(while: isNameCharacter).reversed()
            if isSecret(String(name), names) { return text[...sign] + "<redacted>" }
            rest = rest[sign...].dropFirst()
        }
        return nil
    }

    private static func isNameCharacter(_ character: Character) -> Bool {
        character.isLetter || "_-.[]".contains(character)
    }

    /// Whether a text that is no JSON, such as a form or what is left of a key file, names one.
    private static func holdsSecret(_ text: String) -> Bool {
        let text = text[...].percentDecoded
        return holdsKey(text.replacing("+", with: " "))
            || text.split { !isNameCharacter($0) }.contains { isSecret($0, fields) }
    }

    /// Nil where nothing is hidden.
    ///
    /// The names in a message's `data` are the app's own: there only private keys are looked for.
    private static func masked(_ json: JSONValue, areNamesOwn: Bool = false) -> JSONValue? {
        switch json {
        case .string(let text): return holdsKey(text) ? stand : nil
        case .array(let elements):
            let masked = elements.map { Self.masked($0, areNamesOwn: areNamesOwn) }
            guard masked.contains(where: { $0 != nil }) else { return nil }
            return .array(zip(elements, masked).map { $1 ?? $0 })
        case .object(let object):
            let masked = object.members.map { member in
                !areNamesOwn && isSecret(member.key, fields)
                    ? stand : Self.masked(member.value, areNamesOwn: member.key == "data")
            }
            guard masked.contains(where: { $0 != nil }) else { return nil }
            return .object(
                JSONObject(
                    zip(object.members, masked).map { member, value in
                        JSONObject.Member(key: member.key, value: value ?? member.value)
                    }
                )
            )
        default: return nil
        }
    }
}
