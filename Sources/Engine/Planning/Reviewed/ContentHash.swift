import CampaignModel
import Crypto
import JSON
import Text

/// SHA-256 as 64 hexadecimal digits.
enum ContentHash {
    static func of(_ value: JSONValue) -> String {
        text(SHA256.hash(data: value.sortedByKey.compactBytes))
    }

    static func of(_ text: String) -> String {
        self.text(SHA256.hash(data: Array(text.utf8)))
    }

    /// Hashes fingerprints in ascending order, sixteen bytes each, most significant first.
    static func of(_ fingerprints: [Fingerprint]) -> String {
        var hash = SHA256()
        for fingerprint in fingerprints.sorted() {
            hash.update(data: fingerprint.bytes)
        }
        return text(hash.finalize())
    }

    private static func text(_ digest: SHA256.Digest) -> String {
        Hexadecimal.text(of: digest)
    }
}

extension Fingerprint {
    fileprivate var bytes: [UInt8] {
        [high, low].flatMap { word in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
        }
    }
}

extension JSONValue {
    /// The same value with the members of every object sorted by the bytes of their keys.
    var sortedByKey: JSONValue {
        switch self {
        case .object(let object):
            let members = object.members
                .map { JSONObject.Member(key: $0.key, value: $0.value.sortedByKey) }
                .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            return .object(JSONObject(members))
        case .array(let elements): return .array(elements.map(\.sortedByKey))
        case .null, .bool, .integer, .number, .string: return self
        }
    }
}
