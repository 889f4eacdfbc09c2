import Crypto

/// A signature in the format of `ssh-keygen -Y sign` (OpenSSH, PROTOCOL.sshsig).
package struct SSHSignature: Hashable, Sendable {
    package let key: SSHPublicKey
    package let namespace: String
    let hash: HashAlgorithm
    let signature: [UInt8]

    enum HashAlgorithm: String, Hashable, Sendable {
        case sha256
        case sha512

        func digest(of message: [UInt8]) -> [UInt8] {
            switch self {
            case .sha256: Array(SHA256.hash(data: message))
            case .sha512: Array(SHA512.hash(data: message))
            }
        }
    }

    package static let header = "-----BEGIN SSH SIGNATURE-----"
    package static let footer = "-----END SSH SIGNATURE-----"
}

/// Why a signature cannot be read, or does not match.
package enum SSHSignatureError: Error, Hashable {
    /// It has no header or footer, is not base64, or is not a complete signature.
    case malformed
    case key(SSHKeyError)
    case otherVersion(UInt32)
    case otherHash
    case otherNamespace(String)
    /// The message, the key or the signature was changed.
    case invalid
}

extension SSHSignature {
    /// Reads the text of a signature, from its header to its footer.
    package init(armored text: String) throws(SSHSignatureError) {
        let bytes = Array(text.utf8)
        let header = Array(Self.header.utf8)
        let footer = Array("\n\(Self.footer)".utf8)
        guard bytes.starts(with: header), let end = bytes.firstRange(of: footer)
        else { throw .malformed }
        guard header.count <= end.lowerBound,
            let blob = Base64Text.bytes(bytes[header.count..<end.lowerBound])
        else { throw .malformed }
        try self.init(blob: blob)
    }

    init(blob: [UInt8]) throws(SSHSignatureError) {
        var reader = SSHReader(blob)
        guard reader.take(Self.magic.count) == Self.magic, let version = reader.number() else {
            throw .malformed
        }
        // ssh-keygen also accepts 0, and the version is not signed.
        guard version <= 1 else { throw .otherVersion(version) }
        guard let keyBlob = reader.string() else { throw .malformed }
        do throws(SSHKeyError) { key = try SSHPublicKey(blob: keyBlob) } catch { throw .key(error) }
        guard let namespace = reader.text(), reader.string() != nil, let name = reader.text(),
            let signature = reader.string(), reader.isAtEnd
        else { throw .malformed }
        guard let hash = HashAlgorithm(rawValue: name) else { throw .otherHash }
        self.namespace = namespace
        self.hash = hash
        self.signature = signature
    }

    private static let magic = Array("SSHSIG".utf8)

    /// Checks that the key signed the message in this namespace.
    package func verify(
        _ message: [UInt8],
        namespace expected: String
    ) throws(SSHSignatureError) {
        guard namespace == expected else { throw .otherNamespace(namespace) }
        var signed = SSHWriter()
        signed.put(Self.magic)
        signed.put(string: Array(expected.utf8))
        // Reserved.
        signed.put(string: [])
        signed.put(string: Array(hash.rawValue.utf8))
        signed.put(string: hash.digest(of: message))
        guard key.isValid(signature: signature, of: signed.bytes) else { throw .invalid }
    }
}
