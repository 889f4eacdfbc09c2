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

    /// `bytes`: a registration in UTF-8.
    private func fingerprint(of bytes: UnsafeRawBufferPointer) -> Fingerprint {
        Fingerprint(hash.hash(bytes))
    }

    /// Returns the fingerprints of registrations in a block of text.
    func fingerprints(of rows: [TextRow], in block: UnsafeRawBufferPointer) -> [Fingerprint] {
        [Fingerprint](unsafeUninitializedCapacity: rows.count) { found, initialized in
            var place = 0
            while place + 1 < rows.count {
                let (one, other) = (rows[place].text(in: block), rows[place + 1].text(in: block))
                let values = hash.hashes(of: one, and: other)
                found.initializeElement(at: place, to: Fingerprint(values.0))
                found.initializeElement(at: place + 1, to: Fingerprint(values.1))
                place += 2
            }
            if place < rows.count {
                found.initializeElement(at: place, to: fingerprint(of: rows[place].text(in: block)))
            }
            initialized = rows.count
        }
    }
}

extension Fingerprint {
    fileprivate init(_ value: SipHash.Value) {
        self.init(high: value.high, low: value.low)
    }
}
