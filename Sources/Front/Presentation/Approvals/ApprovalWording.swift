import Approvals
import SSHSignatures
import Time

/// Describes why an approval does not count.
struct ApprovalWording {
    func text(of refusal: ApprovalRefusal) -> String {
        switch refusal {
        case .unreadable: "is not in the format of `herald approve`"
        case .otherPlan(let digest): "approves another plan: \(TextStyle.safe(digest))"
        case .otherState: "approves a plan for another state"
        case .otherEnvironment(let name): "is for the environment \(TextStyle.safe(name))"
        case .expired(let moment): "expired at \(moment.utcText)"
        case .tooLong(let moment, let latest):
            "expires at \(moment.utcText), later than the rules allow (\(latest.utcText))"
        case .signature(let error): text(of: error)
        case .revoked: "the key is revoked"
        case .unlisted: "the key is not listed for this principal"
        case .otherNamespace: "the key is limited to other namespaces"
        case .keyNotYetValid(let moment): "the key is not valid before \(moment.utcText)"
        case .keyExpired(let moment): "the key expired at \(moment.utcText)"
        case .author(let address):
            "the signer is an author of the changes: \(TextStyle.safe(address))"
        }
    }

    private func text(of error: SSHSignatureError) -> String {
        switch error {
        case .malformed: "the signature cannot be read"
        case .key(let error): "the key of the signature \(text(of: error))"
        case .otherVersion(let version): "the signature has the unknown version \(version)"
        case .otherHash: "the signature uses another hash than SHA-256 and SHA-512"
        case .otherNamespace(let name):
            "the signature is for the namespace \(TextStyle.safe(name)), not herald"
        case .invalid: "the signature does not match the text and the key"
        }
    }

    func text(of error: SSHKeyError) -> String {
        switch error {
        case .malformed: "cannot be read"
        case .unsupported(let kind):
            "has an unsupported type" + (kind.map { ": \(TextStyle.safe($0))" } ?? "")
        case .invalidPoint: "is not a point of its curve"
        case .shortRSA(let bits): "has \(bits) bits; at least \(SSHPublicKey.fewestBits) are needed"
        }
    }
}

extension SignersFileError {
    /// Why the file is refused, for people.
    var wording: String {
        switch reason {
        case .malformed: "does not have principals and a key"
        case .quotes: "has a quote that is not closed or not allowed"
        case .certificateAuthority:
            "has the option `cert-authority`; Herald does not accept certificates, so list each key"
        case .unknownOption(let name): "has the unknown option `\(TextStyle.safe(name))`"
        case .repeatedOption(let name): "has the option `\(TextStyle.safe(name))` twice"
        case .invalidTime(let text):
            "has the invalid time `\(TextStyle.safe(text))`; write YYYYMMDDHHMMSSZ"
        case .localTime(let text):
            "has the time `\(TextStyle.safe(text))` without a time zone; write `Z` after it"
        case .emptyValidity: "has a validity that ends before it begins"
        case .key(let error): "has a key that \(ApprovalWording().text(of: error))"
        case .binaryRevocations:
            "is a key revocation list; Herald reads public keys, one per line"
        }
    }
}
