package import CampaignModel
import Crypto
import FoundationEssentials
import RegistrationLists
import Text

/// Computes what an inbox compares: keyed hashes, which reveal nothing without the state's key.
///
/// They are SipHash-2-4 with 128 bits. Its key is the first half of HMAC-SHA-256 of "herald inbox" under
/// the state's key.
package struct InboxHasher: Sendable {
    private let fingerprinter: Fingerprinter
    private let hash: SipHash

    package init(key: FingerprintKey) {
        fingerprinter = Fingerprinter(key: key)
        let code = HMAC<SHA256>.authenticationCode(
            for: Array("herald inbox".utf8),
            using: SymmetricKey(data: key.bytes)
        )
        hash = SipHash(key: Array(code.prefix(16)))
    }

    package func fingerprint(of registration: Registration) -> Fingerprint {
        fingerprinter.fingerprint(of: registration)
    }

    /// Identifies a message: its sender, registration and ID.
    package func identity(of message: UpstreamMessage) -> Fingerprint {
        value(of: [message.sender.text, message.registration.token, message.id])
    }

    /// Changes with the content of a message, except for its arrival.
    package func content(of message: UpstreamMessage) -> Fingerprint {
        var parts = [message.category, message.timeToLive.map(String.init) ?? ""]
        for (key, value) in message.data.sorted(by: { $0.key < $1.key }) { parts += [key, value] }
        return value(of: parts)
    }

    /// Each part is preceded by its length, so that different parts never have the same bytes.
    private func value(of parts: [String]) -> Fingerprint {
        var bytes: [UInt8] = []
        for part in parts {
            withUnsafeBytes(of: UInt32(part.utf8.count).littleEndian) { bytes += $0 }
            bytes += part.utf8
        }
        let value = bytes.withUnsafeBytes { hash.hash($0) }
        return Fingerprint(high: value.high, low: value.low)
    }
}
