package import CampaignModel
package import JSON

extension ApprovalPolicy {
    /// The form that the state stores.
    package var stored: JSONValue {
        var stored: JSONObject = [
            "need": .integer(Int64(need)), "not_author": .bool(excludesAuthors),
            "valid": .integer(valid), "signers": .string(signers),
        ]
        stored["over"] = over.map { .integer(Int64($0)) }
        stored["revoked"] = revoked.map(JSONValue.string)
        return .object(stored)
    }

    /// Nil if it is unreadable.
    package init?(stored: JSONValue) {
        guard let need = stored["need"]?.integerValue, need > 0,
            let excludesAuthors = stored["not_author"]?.boolValue,
            let valid = stored["valid"]?.integerValue,
            let signers = stored["signers"]?.stringValue
        else { return nil }
        self.init(
            need: Int(need),
            over: stored["over"]?.integerValue.map { Int($0) },
            excludesAuthors: excludesAuthors,
            valid: valid,
            signers: signers,
            revoked: stored["revoked"]?.stringValue
        )
    }
}

/// A signer whose approval a run was applied with.
package struct RecordedApproval: Hashable, Sendable {
    package let principal: String
    /// The fingerprint of the key, as `ssh-keygen -l` prints it.
    package let key: String

    package init(principal: String, key: String) {
        self.principal = principal
        self.key = key
    }

    package var stored: JSONValue { ["principal": .string(principal), "key": .string(key)] }

    /// Nil if it is unreadable.
    package init?(stored: JSONValue) {
        guard let principal = stored["principal"]?.stringValue,
            let key = stored["key"]?.stringValue
        else { return nil }
        self.init(principal: principal, key: key)
    }
}
