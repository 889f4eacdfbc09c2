package import CampaignModel
import Crypto
import FoundationEssentials
import Text

/// Computes fingerprints of registrations and persons.
///
/// A fingerprint is HMAC-SHA-256 under the state's key, cut to 16 bytes.
package struct Fingerprinter: Sendable {
    private let key: SymmetricKey

    package init(key: FingerprintKey) {
        self.key = SymmetricKey(data: key.bytes)
    }

    package func fingerprint(of registration: Registration) -> Fingerprint {
        fingerprint(ofText: registration.token)
    }

    /// Returns the fingerprint of a person, from the value in the list's identity column.
    package func fingerprint(ofIdentity identity: String) -> Fingerprint {
        fingerprint(ofText: identity)
    }

    private func fingerprint(ofText text: String) -> Fingerprint {
        var code = HMAC<SHA256>(key: key)
        var text = text
        text.withUTF8 { code.update(data: UnsafeRawBufferPointer($0)) }
        return code.finalize().withUnsafeBytes { bytes in
            Fingerprint(
                high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }
}

/// Computes the content ID of a list while its registrations are streamed.
struct ListHasher {
    private var hash = SHA256()

    mutating func add(_ registration: Registration) {
        var token = registration.token
        token.withUTF8 { hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }
        withUnsafeBytes(of: UInt8(ascii: "\n")) { hash.update(bufferPointer: $0) }
    }

    func finish() -> ListID {
        ListID(text: Hexadecimal.text(of: hash.finalize()))
    }
}
