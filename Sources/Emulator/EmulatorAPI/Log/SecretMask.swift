import EmulatorAuth
import JSON
import Text

/// Masks secrets in records of requests that contain them in unexpected places.
enum SecretMask {
    static let stand: JSONValue = "<redacted>"

    /// Returns the target with masked secrets, or nil if there are none.
    ///
    /// It checks every part of the query. It checks the path only of refused requests, because a
    /// replay needs the path of a successful one.
    static func target(_ target: String, isRefused: Bool) -> String? {
        guard target.utf8.contains(UInt8(ascii: "?")) || isRefused else { return nil }
        let pieces = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = isRefused ? part(pieces[0], names: parameters) : nil
        let parts = pieces.dropFirst().flatMap {
            $0.split(separator: "&", omittingEmptySubsequences: false)
        }
        let masked = parts.map { part($0, names: parameters) }
        guard path != nil || masked.contains(where: { $0 != nil }) else { return nil }
        let query = zip(parts, masked).map { $1 ?? String($0) }.joined(separator: "&")
        return (path ?? String(pieces[0])) + (pieces.count > 1 ? "?" + query : "")
    }

    /// Returns a replacement for the body, or nil if it has no secrets.
    static func body(of request: EmulatorRequest) -> JSONValue? {
        guard let json = request.json else {
            let text = String(decoding: request.body, as: UTF8.self)
            guard holdsSecret(text) else { return nil }
            return .object(RecordedExchange(of: AuthRequest(request)).body)
        }
        return masked(json)
    }

    /// Returns an error without its texts, which may quote the request.
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
        case .string(let text) where RecordedExchange.holdsKey(text): stand
        default: answer
        }
    }

    private static let words: Set<String> = ["message", "description", "error_description"]

    /// The letters of secret field names, in lower case.
    private static let fields: Set<String> = [
        "accesstoken", "actortoken", "apikey", "assertion", "clientassertion", "clientsecret",
        "idtoken", "oauthtoken", "privatekey", "refreshtoken", "serverkey", "subjecttoken",
    ]
    private static let parameters = fields.union(["key"])

    private static func isSecret(_ name: some StringProtocol, among names: Set<String>) -> Bool {
        names.contains(name.lowercased().filter(\.isLetter))
    }

    /// Returns the decoded part of a target, truncated before the value of its first secret, or nil
    /// if there is none.
    private static func part(_ part: Substring, names: Set<String>) -> String? {
        let text = part.percentDecoded
        var rest = text[...]
        while let sign = rest.firstIndex(of: "=") {
            let name = rest[..<sign].reversed().prefix(while: isNameCharacter).reversed()
            if isSecret(String(name), among: names) { return text[...sign] + "<redacted>" }
            rest = rest[sign...].dropFirst()
        }
        return nil
    }

    private static func isNameCharacter(_ character: Character) -> Bool {
        character.isLetter || "_-.[]".contains(character)
    }

    /// Returns whether a text that is not JSON, such as a form or a partial key file, names a
    /// secret.
    private static func holdsSecret(_ text: String) -> Bool {
        let text = text[...].percentDecoded
        return RecordedExchange.holdsKey(text.replacing("+", with: " "))
            || text.split { !isNameCharacter($0) }.contains { isSecret($0, among: fields) }
    }

    /// Returns the masked value, or nil if it has no secrets.
    ///
    /// The names in a message's `data` belong to the app, so only private keys are masked there.
    private static func masked(_ json: JSONValue, areNamesOwn: Bool = false) -> JSONValue? {
        switch json {
        case .string(let text): return RecordedExchange.holdsKey(text) ? stand : nil
        case .array(let elements):
            let masked = elements.map { Self.masked($0, areNamesOwn: areNamesOwn) }
            guard masked.contains(where: { $0 != nil }) else { return nil }
            return .array(zip(elements, masked).map { $1 ?? $0 })
        case .object(let object):
            let masked = object.members.map { member in
                !areNamesOwn && isSecret(member.key, among: fields)
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
