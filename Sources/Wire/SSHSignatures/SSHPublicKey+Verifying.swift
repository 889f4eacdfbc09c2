import Crypto
import CryptoExtras
import FoundationEssentials

extension SSHPublicKey {
    /// Whether the key made the signature of the message.
    ///
    /// `signature`: in the form of SSH's protocol, with the name of the algorithm.
    func isValid(signature: [UInt8], of message: [UInt8]) -> Bool {
        var reader = SSHReader(signature)
        guard let algorithm = reader.text(), let content = reader.string() else { return false }
        switch kind {
        case .rsa:
            return reader.isAtEnd && isValidRSA(content, algorithm: algorithm, of: message)
        case .ed25519, .ecdsa256, .ecdsa384, .ecdsa521:
            return algorithm == kind.rawValue && reader.isAtEnd
                && isValid(content: content, of: message)
        case .securityKeyEd25519, .securityKeyECDSA:
            guard algorithm == kind.rawValue, let flags = reader.take(1),
                let counter = reader.take(4), reader.isAtEnd
            else { return false }
            // What the security key itself signs (OpenSSH, PROTOCOL.u2f).
            let signed =
                Array(SHA256.hash(data: application)) + flags + counter
                + Array(SHA256.hash(data: message))
            return isValid(content: content, of: signed)
        }
    }

    private func isValid(content: [UInt8], of message: [UInt8]) -> Bool {
        switch material {
        case .ed25519(let bytes):
            guard content.count == 64,
                let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes)
            else { return false }
            return key.isValidSignature(content, for: message)
        case .ecdsa(let point): return isValidECDSA(content, of: message, point: point)
        case .rsa: return false
        }
    }

    private func isValidECDSA(_ content: [UInt8], of message: [UInt8], point: [UInt8]) -> Bool {
        switch kind {
        case .ecdsa384:
            guard let raw = Self.rawNumbers(content, width: 48),
                let key = try? P384.Signing.PublicKey(x963Representation: point),
                let signature = try? P384.Signing.ECDSASignature(rawRepresentation: raw)
            else { return false }
            return key.isValidSignature(signature, for: SHA384.hash(data: message))
        case .ecdsa521:
            guard let raw = Self.rawNumbers(content, width: 66),
                let key = try? P521.Signing.PublicKey(x963Representation: point),
                let signature = try? P521.Signing.ECDSASignature(rawRepresentation: raw)
            else { return false }
            return key.isValidSignature(signature, for: SHA512.hash(data: message))
        case .ecdsa256, .securityKeyECDSA:
            guard let raw = Self.rawNumbers(content, width: 32),
                let key = try? P256.Signing.PublicKey(x963Representation: point),
                let signature = try? P256.Signing.ECDSASignature(rawRepresentation: raw)
            else { return false }
            return key.isValidSignature(signature, for: SHA256.hash(data: message))
        case .ed25519, .rsa, .securityKeyEd25519: return false
        }
    }

    /// The two numbers of an ECDSA signature, padded to the width of the curve; nil if they are
    /// longer.
    private static func rawNumbers(_ content: [UInt8], width: Int) -> [UInt8]? {
        var reader = SSHReader(content)
        guard let r = reader.positive(), let s = reader.positive(), reader.isAtEnd,
            r.count <= width, s.count <= width
        else { return nil }
        return padded(r, to: width) + padded(s, to: width)
    }

    private static func padded(_ number: [UInt8], to width: Int) -> [UInt8] {
        [UInt8](repeating: 0, count: width - number.count) + number
    }

    /// SHA-1 (`ssh-rsa`) is refused, as by ssh-keygen.
    private func isValidRSA(_ content: [UInt8], algorithm: String, of message: [UInt8]) -> Bool {
        guard case .rsa(let modulus, let exponent) = material, content.count <= modulus.count,
            let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent)
        else { return false }
        // Some programs leave leading zeros out.
        let whole = Data(Self.padded(content, to: modulus.count))
        let signature = _RSA.Signing.RSASignature(rawRepresentation: whole)
        let padding = _RSA.Signing.Padding.insecurePKCS1v1_5
        switch algorithm {
        case "rsa-sha2-256":
            return key.isValidSignature(
                signature,
                for: SHA256.hash(data: message),
                padding: padding
            )
        case "rsa-sha2-512":
            return key.isValidSignature(
                signature,
                for: SHA512.hash(data: message),
                padding: padding
            )
        default: return false
        }
    }
}
