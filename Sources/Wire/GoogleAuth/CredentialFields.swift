import JSON
import Text

/// The members of a credential's file, or of one that lies in another.
struct CredentialFields {
    private let json: JSONValue
    /// Stands before names in errors.
    private let path: String

    init?(_ json: JSONValue?, path: String = "") {
        guard let json, json.objectValue != nil else { return nil }
        self.json = json
        self.path = path
    }

    func has(_ name: String) -> Bool { json[name].map { $0 != .null } ?? false }

    subscript(name: String) -> JSONValue? { json[name] }

    /// Nil where it is missing, empty or no text.
    func text(_ name: String) -> String? {
        json[name]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
    }

    func required(_ name: String) throws(CredentialError) -> String {
        guard let text = text(name) else { throw .missing(field: path + name) }
        return text
    }

    /// An address that a secret may be sent to.
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

/// Where a secret may be sent: to an `https:` address, or to this machine.
package enum TokenURL {
    package static func isSafe(_ text: String) -> Bool {
        guard let address = ServerAddress(of: text), address.isPrivate else { return false }
        // What libcurl would not take as it stands.
        return text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
