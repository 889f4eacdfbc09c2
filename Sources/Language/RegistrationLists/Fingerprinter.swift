package import CampaignModel
import Crypto
import FoundationEssentials
import Text

/// Computes fingerprints of registrations and persons.
///
/// A fingerprint is SipHash-2-4 with 128 bits. Its key is the first half of HMAC-SHA-256 of
/// "herald fingerprint" under the state's key.
package struct Fingerprinter: Sendable {
    private let hash: SipHash

    package init(key: FingerprintKey) {
        let code = HMAC<SHA256>.authenticationCode(
            for: Array("herald fingerprint".utf8),
            using: SymmetricKey(data: key.bytes)
        )
        hash = SipHash(key: Array(code.prefix(16)))
    }

    package func fingerprint(of registration: Registration) -> Fingerprint {
        fingerprint(ofText: registration.token)
    }

    /// Returns the fingerprint of a person, from the value in the list's identity column.
    package func fingerprint(ofIdentity identity: String) -> Fingerprint {
        fingerprint(ofText: identity)
    }

    private func fingerprint(ofText text: String) -> Fingerprint {
        var text = text
        return text.withUTF8 { fingerprint(of: UnsafeRawBufferPointer($0)) }
    }

    /// `bytes`: A registration in UTF-8.
    func fingerprint(of bytes: UnsafeRawBufferPointer) -> Fingerprint {
        let value = hash.hash(bytes)
        return Fingerprint(high: value.high, low: value.low)
    }
}
