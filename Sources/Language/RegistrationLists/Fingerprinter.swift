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

    init() {}

    /// Begins with the kind of the list and the columns; neither changes the ID of a list of tokens
    /// without columns.
    init(_ content: ListContent) {
        if content.list.kind == .fid { add("fid") }
        for name in content.names { add(name) }
    }

    /// `values`: the row's values in the columns.
    mutating func add(_ registration: Registration, values: [String]) {
        add(registration)
        for value in values { add(value) }
    }

    /// Adds a text that may contain any characters.
    ///
    /// A zero byte and its length separate it from others; a registration has no zero byte.
    private mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            withUnsafeBytes(of: UInt8(0)) { hash.update(bufferPointer: $0) }
            withUnsafeBytes(of: UInt64(bytes.count).littleEndian) {
                hash.update(bufferPointer: $0)
            }
            hash.update(bufferPointer: UnsafeRawBufferPointer(bytes))
        }
    }

    mutating func add(_ registration: Registration) {
        var token = registration.token
        token.withUTF8 { hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }
        withUnsafeBytes(of: UInt8(ascii: "\n")) { hash.update(bufferPointer: $0) }
    }

    func finish() -> ListID {
        ListID(text: Hexadecimal.text(of: hash.finalize()))
    }
}
