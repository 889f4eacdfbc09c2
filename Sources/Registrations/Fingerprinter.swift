package import CampaignModel
import Crypto
import FoundationEssentials

/// Makes the fingerprints of registrations and of persons: HMAC-SHA-256 under the state's key, cut to 16 bytes.
package struct Fingerprinter: Sendable {
    private let key: SymmetricKey

    package init(key: FingerprintKey) {
        self.key = SymmetricKey(data: key.bytes)
    }

    package func fingerprint(of registration: Registration) -> Fingerprint {
        fingerprint(ofText: registration.token)
    }

    /// The fingerprint of a person, by what a list's column of persons says.
    package func fingerprint(ofIdentity identity: String) -> Fingerprint {
        fingerprint(ofText: identity)
    }

    private func fingerprint(ofText text: String) -> Fingerprint {
        var code = HMAC<SHA256>(key: key)
        var text = text
        text.withUTF8 { code.update(data: UnsafeRawBufferPointer($0)) }
        let bytes = Array(code.finalize())
        return Fingerprint(high: Self.word(bytes[0..<8]), low: Self.word(bytes[8..<16]))
    }

    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// Makes the content id of a list while its registrations pass by.
struct ListHasher {
    private var hash = SHA256()

    mutating func add(_ registration: Registration) {
        var line = registration.token + "\n"
        line.withUTF8 { hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }
    }

    func finish() -> ListID {
        let digits = hash.finalize().flatMap { byte in
            [Self.digit(byte >> 4), Self.digit(byte & 15)]
        }
        return ListID(text: String(decoding: digits, as: UTF8.self))
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
