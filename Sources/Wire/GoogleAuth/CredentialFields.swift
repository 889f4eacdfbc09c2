import JSON
import Text

/// The members of a credential file, or of an object inside one.
struct CredentialFields {
    private let json: JSONValue
    /// Prefix of names in errors.
    private let path: String

    init?(_ json: JSONValue?, path: String = "") {
        guard let json, json.objectValue != nil else { return nil }
        self.json = json
        self.path = path
    }

    func has(_ name: String) -> Bool { json[name].map { $0 != .null } ?? false }

    subscript(name: String) -> JSONValue? { json[name] }

    /// Nil if the member is missing, empty or not a string.
    func text(_ name: String) -> String? {
        json[name]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
    }

    func required(_ name: String) throws(CredentialError) -> String {
        guard let text = text(name) else { throw .missing(field: path + name) }
        return text
    }

    /// Returns an address to which a secret may be sent.
    func address(_ name: String) throws(CredentialError) -> String {
        let text = try required(name)
        guard TokenURL.isSafe(text) else { throw .malformed(field: path + name) }
        return text
    }

    func optionalAddress(_ name: String) throws(CredentialError) -> String? {
        has(name) ? try address(name) : nil
    }

    func mapping(_ name: String) throws(CredentialError) -> CredentialFields {
        guard has(name) else { throw .missing(field: path + name) }
        guard let fields = CredentialFields(json[name], path: "\(path)\(name).") else {
            throw .malformed(field: path + name)
        }
        return fields
    }
}

/// Checks whether a secret may be sent to an address: it must use `https:` or be on this machine.
package enum TokenURL {
    package static func isSafe(_ text: String) -> Bool {
        guard let address = ServerAddress(of: text), address.isPrivate else { return false }
        // libcurl rejects other characters.
        return text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
