import Crypto
import CryptoExtras
import FoundationEssentials

/// A public key in OpenSSH's format.
package struct SSHPublicKey: Hashable, Sendable {
    /// The kinds of keys that can approve, by their names in keys.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case ed25519 = "ssh-ed25519"
        case ecdsa256 = "ecdsa-sha2-nistp256"
        case ecdsa384 = "ecdsa-sha2-nistp384"
        case ecdsa521 = "ecdsa-sha2-nistp521"
        case rsa = "ssh-rsa"
        case securityKeyEd25519 = "sk-ssh-ed25519@openssh.com"
        case securityKeyECDSA = "sk-ecdsa-sha2-nistp256@openssh.com"
    }

    package let kind: Kind
    let material: Material
    /// The key as SSH writes it; two equal keys have the same one.
    let blob: [UInt8]

    enum Material: Hashable, Sendable {
        case ed25519([UInt8])
        /// An uncompressed point.
        case ecdsa([UInt8])
        case rsa(modulus: [UInt8], exponent: [UInt8])
    }

    /// The application of a security key, which it signs too.
    let application: [UInt8]

    /// `SHA256:…`, as `ssh-keygen -l` prints it.
    package var fingerprint: String {
        let text = Base64Text.text(of: Array(SHA256.hash(data: blob)))
        return "SHA256:" + text.prefix { $0 != "=" }
    }
}

/// Why a key cannot be used.
package enum SSHKeyError: Error, Hashable {
    /// It is not base64, or not a complete key of its kind.
    case malformed
    /// `kind`: its name; nil if it has none that can be printed.
    case unsupported(kind: String?)
    /// The point is not on the curve.
    case invalidPoint
    case shortRSA(bits: Int)
}

extension SSHPublicKey {
    /// Reads a key in the form of SSH's protocol.
    init(blob: [UInt8]) throws(SSHKeyError) {
        var reader = SSHReader(blob)
        guard let name = reader.text() else { throw .malformed }
        guard let kind = Kind(rawValue: name) else {
            let isPlain = name.utf8.allSatisfy { (33...126).contains($0) }
            throw .unsupported(kind: isPlain ? name : nil)
        }
        self.kind = kind
        self.blob = blob
        switch kind {
        case .ed25519, .securityKeyEd25519:
            guard let bytes = reader.string(), bytes.count == 32 else { throw .malformed }
            material = .ed25519(bytes)
        case .ecdsa256, .ecdsa384, .ecdsa521, .securityKeyECDSA:
            guard reader.string() == Array(kind.curve.utf8), let point = reader.string() else {
                throw .malformed
            }
            material = .ecdsa(point)
        case .rsa:
            guard let exponent = reader.positive(), let modulus = reader.positive() else {
                throw .malformed
            }
            material = .rsa(modulus: modulus, exponent: exponent)
        }
        if kind.isSecurityKey {
            guard let application = reader.string() else { throw .malformed }
            self.application = application
        } else {
            application = []
        }
        guard reader.isAtEnd else { throw .malformed }
        try check()
    }

    /// Reads `KIND BASE64`, as in `id_ed25519.pub`, without a comment.
    init(kind name: String, base64: String) throws(SSHKeyError) {
        guard let blob = Base64Text.bytes(base64.utf8) else { throw .malformed }
        let key = try SSHPublicKey(blob: blob)
        guard key.kind.rawValue == name else { throw .malformed }
        self = key
    }

    private func check() throws(SSHKeyError) {
        switch material {
        case .ed25519(let bytes):
            guard (try? Curve25519.Signing.PublicKey(rawRepresentation: bytes)) != nil else {
                throw .invalidPoint
            }
        case .ecdsa(let point):
            // Compressed points are valid in X9.63, but not in SSH.
            guard point.first == 4, isOnCurve(point) else { throw .invalidPoint }
        case .rsa(let modulus, let exponent):
            let bits = modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
            guard bits >= Self.fewestBits else { throw .shortRSA(bits: bits) }
            guard (try? _RSA.Signing.PublicKey(n: modulus, e: exponent)) != nil else {
                throw .malformed
            }
        }
    }

    private func isOnCurve(_ point: [UInt8]) -> Bool {
        switch kind {
        case .ecdsa384: (try? P384.Signing.PublicKey(x963Representation: point)) != nil
        case .ecdsa521: (try? P521.Signing.PublicKey(x963Representation: point)) != nil
        case .ecdsa256, .securityKeyECDSA:
            (try? P256.Signing.PublicKey(x963Representation: point)) != nil
        case .ed25519, .securityKeyEd25519, .rsa: false
        }
    }

    /// ssh-keygen accepts 1,024 bits, which can be factored.
    package static let fewestBits = 2_048
}

extension SSHPublicKey.Kind {
    package var isSecurityKey: Bool {
        switch self {
        case .securityKeyEd25519, .securityKeyECDSA: true
        case .ed25519, .ecdsa256, .ecdsa384, .ecdsa521, .rsa: false
        }
    }

    /// The name of the curve in the key; empty if the kind has none.
    fileprivate var curve: String {
        switch self {
        case .ecdsa256, .securityKeyECDSA: "nistp256"
        case .ecdsa384: "nistp384"
        case .ecdsa521: "nistp521"
        case .ed25519, .rsa, .securityKeyEd25519: ""
        }
    }
}
