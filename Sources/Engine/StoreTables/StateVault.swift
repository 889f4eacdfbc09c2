package import CampaignModel
import Crypto
package import FoundationEssentials
package import State

/// The keys of an encrypted state, which never change: one for its registrations and one for its
/// fingerprints.
///
/// The state stores them wrapped with the team's key. All encryption is AES-256-GCM.
package struct StateVault: Sendable {
    package let fingerprintKey: FingerprintKey
    private let dataKey: SymmetricKey

    package init(dataKey: [UInt8], fingerprintKey: FingerprintKey) {
        self.dataKey = SymmetricKey(data: dataKey)
        self.fingerprintKey = fingerprintKey
    }

    package func isSame(as other: StateVault) -> Bool {
        dataKey == other.dataKey && fingerprintKey == other.fingerprintKey
    }
}

// MARK: - Registrations

extension StateVault {
    /// The first byte of all sealed values; no registration begins with it.
    package static let mark: UInt8 = 1

    /// Returns the mark, then nonce, ciphertext and tag.
    package func seal(_ content: Data, at place: SealedPlace) throws -> Data {
        let name = place.name
        let box = try AES.GCM.seal(content, using: key(of: name), authenticating: name)
        var sealed = Data([Self.mark])
        sealed.append(contentsOf: box.nonce)
        sealed.append(box.ciphertext)
        sealed.append(box.tag)
        return sealed
    }

    /// Nil if the value was not sealed with this key at this place, or was changed since then.
    package func open(_ sealed: Data, at place: SealedPlace) -> Data? {
        guard sealed.first == Self.mark else { return nil }
        let name = place.name
        guard let box = try? AES.GCM.SealedBox(combined: sealed.dropFirst()) else { return nil }
        return try? AES.GCM.open(box, using: key(of: name), authenticating: name)
    }

    /// Derives a separate key per place, so that random nonces never repeat under one key,
    /// regardless of the number of registrations (decision 20).
    private func key(of place: Data) -> SymmetricKey {
        SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: place, using: dataKey))
    }
}

/// The place of a sealed value; it opens at no other place.
package enum SealedPlace {
    /// Consecutive records of a segment, by the last one of them.
    case records(scope: Int64, segment: Int64, last: Fingerprint)
    /// A page with registrations of members.
    case registrations(page: Int64)
    /// A part of a list, by the list's name and the number of the first registration.
    case list(String, first: Int)
    /// The text of an encrypted message, by a random number.
    case text(Data)
    /// A message of an inbox.
    case message(inbox: String, number: Int64)
    /// A registration that an upstream rule subscribes.
    case upstreamMember(rule: String, Fingerprint)

    fileprivate var name: Data {
        switch self {
        case .records(let scope, let segment, let last):
            Data("records ".utf8) + Self.bytes(UInt64(bitPattern: scope))
                + Self.bytes(UInt64(bitPattern: segment)) + last.blob
        case .registrations(let page):
            Data("registrations ".utf8) + Self.bytes(UInt64(bitPattern: page))
        case .list(let name, let first):
            Data("list ".utf8) + Self.bytes(UInt64(first)) + Data(name.utf8)
        case .text(let number): Data("text ".utf8) + number
        case .upstreamMember(let rule, let fingerprint):
            Data("upstream ".utf8) + fingerprint.blob + Data(rule.utf8)
        case .message(let inbox, let number):
            Data("message ".utf8) + Self.bytes(UInt64(bitPattern: number)) + Data(inbox.utf8)
        }
    }

    private static func bytes(_ number: UInt64) -> Data {
        withUnsafeBytes(of: number.bigEndian) { Data($0) }
    }
}

// MARK: - Wrapping

extension StateVault {
    package enum Unwrapping {
        case vault(StateVault, StateKey)
        case wrongKey
        case damaged
    }

    private static let version: UInt8 = 1
    private static let idSize = 8
    private static let keySize = 32
    /// Version and ID of the team's key, then nonce, both keys and tag.
    private static let wrappedSize = 1 + idSize + 12 + 2 * keySize + 16

    package func wrapped(under key: StateKey, lineage: String) throws -> Data {
        let content = dataKey.withUnsafeBytes { Data($0) } + Data(fingerprintKey.bytes)
        let id = Self.id(of: key)
        let box = try AES.GCM.seal(
            content,
            using: Self.wrapping(key),
            authenticating: Self.context(lineage: lineage, id: id)
        )
        return Data([Self.version]) + id + Data(box.nonce) + box.ciphertext + box.tag
    }

    /// Opens the keys with the matching team key.
    package static func unwrap(
        _ wrapped: Data,
        lineage: String,
        with keys: [StateKey]
    ) -> Unwrapping {
        guard wrapped.count == wrappedSize, wrapped.first == version else { return .damaged }
        let id = wrapped.dropFirst().prefix(idSize)
        guard let key = keys.first(where: { Self.id(of: $0) == id }) else {
            let isOnlyItsID = keys.contains { open(wrapped, lineage: lineage, with: $0) != nil }
            return isOnlyItsID ? .damaged : .wrongKey
        }
        return open(wrapped, lineage: lineage, with: key).map { .vault($0, key) } ?? .damaged
    }

    /// Opens damaged keys, ignoring version and ID, with any of the lineages.
    ///
    /// If none opens them, they are damaged if their ID is missing or that of one of the keys.
    /// Otherwise they need another key.
    package static func salvage(
        _ wrapped: Data,
        lineages: [String],
        with keys: [StateKey]
    ) -> (found: Unwrapping, lineage: String?) {
        for lineage in lineages {
            for key in keys {
                guard let vault = open(wrapped, lineage: lineage, with: key) else { continue }
                return (.vault(vault, key), lineage)
            }
        }
        let id = wrapped.dropFirst().prefix(idSize)
        let isTheirs = id.count < idSize || keys.contains { Self.id(of: $0) == id }
        return (isTheirs ? .damaged : .wrongKey, nil)
    }

    /// Opens the keys as if version and ID were valid.
    private static func open(_ wrapped: Data, lineage: String, with key: StateKey) -> StateVault? {
        guard wrapped.count == wrappedSize,
            let box = try? AES.GCM.SealedBox(combined: wrapped.dropFirst(1 + idSize)),
            let content = try? AES.GCM.open(
                box,
                using: wrapping(key),
                authenticating: context(lineage: lineage, id: id(of: key))
            )
        else { return nil }
        return StateVault(
            dataKey: Array(content.prefix(keySize)),
            fingerprintKey: FingerprintKey(bytes: Array(content.suffix(keySize)))
        )
    }

    /// Returns an ID that distinguishes another key from damage and reveals nothing about the key.
    private static func id(of key: StateKey) -> Data {
        derived(from: key, for: "herald state: id of a key", size: idSize).withUnsafeBytes {
            Data($0)
        }
    }

    private static func wrapping(_ key: StateKey) -> SymmetricKey {
        derived(from: key, for: "herald state: wrapping", size: keySize)
    }

    private static func derived(from key: StateKey, for use: String, size: Int) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: key.bytes),
            info: Data(use.utf8),
            outputByteCount: size
        )
    }

    private static func context(lineage: String, id: some Sequence<UInt8>) -> Data {
        Data([version]) + Data(id) + Data(lineage.utf8)
    }
}
