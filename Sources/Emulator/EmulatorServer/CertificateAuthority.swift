import Crypto
import EmulatorAPI
import FoundationEssentials
import NIOSSL
import SwiftASN1
import SystemIO
import X509

/// The emulator's own certificate authority, created once and stored in its directory.
///
/// Its certificate can only vouch for this machine and for the Google host names that SDKs call.
struct CertificateAuthority {
    private let certificate: Certificate
    private let key: P256.Signing.PrivateKey

    /// Loads a directory's authority, or creates one if there is none or if it has expired.
    static func kept(
        in folder: String,
        at now: Date = Date()
    ) throws(EmulatorError) -> CertificateAuthority {
        if let known = try read(in: folder), known.certificate.notValidAfter > now { return known }
        let made: (CertificateAuthority, certificate: String)
        do {
            let authority = try CertificateAuthority(madeAt: now)
            made = (authority, try authority.certificate.serializeAsPEM().pemString)
        } catch {
            throw .cannotListen(reason: "cannot create a certificate: \(error)")
        }
        try replaceFile(keyPath(folder), with: made.0.key.pemRepresentation + "\n", mode: 0o600)
        try replaceFile(certificatePath(folder), with: made.certificate + "\n", mode: 0o644)
        return made.0
    }

    static func certificatePath(_ folder: String) -> String { folder + "/ca.pem" }

    private static func keyPath(_ folder: String) -> String { folder + "/ca-key.pem" }

    private static func read(in folder: String) throws(EmulatorError) -> CertificateAuthority? {
        // A key that other users could read, such as one from a branch, vouches for nothing.
        guard FileStatus(keyPath(folder), followsLink: false)?.permissions == 0o600,
            let certificate = contents(of: certificatePath(folder)),
            let key = contents(of: keyPath(folder))
        else { return nil }
        do {
            return try CertificateAuthority(
                certificate: Certificate(pemEncoded: String(decoding: certificate, as: UTF8.self)),
                key: P256.Signing.PrivateKey(
                    pemRepresentation: String(decoding: key, as: UTF8.self)
                )
            )
        } catch {
            let reason = "\(certificatePath(folder)) or its key is damaged; delete both"
            throw .directoryUnusable(reason: reason)
        }
    }

    private init(certificate: Certificate, key: P256.Signing.PrivateKey) {
        self.certificate = certificate
        self.key = key
    }

    private init(madeAt now: Date) throws {
        key = P256.Signing.PrivateKey()
        let name = try DistinguishedName {
            OrganizationName("Herald")
            CommonName("Herald FCM emulator on this machine")
        }
        let publicKey = Certificate.PublicKey(key.publicKey)
        certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: publicKey,
            notValidBefore: now.addingTimeInterval(-Self.dayInSeconds),
            notValidAfter: now.addingTimeInterval(3_650 * Self.dayInSeconds),
            issuer: name,
            subject: name,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true))
                Critical(
                    NameConstraints(
                        permittedDNSDomains: ["localhost"] + GoogleHosts.names,
                        permittedIPRanges: Self.loopbackAddresses.map { address in
                            let mask = repeatElement(UInt8.max, count: address.count)
                            return ASN1OctetString(contentBytes: (address + mask)[...])
                        }
                    )
                )
                SubjectKeyIdentifier(hash: publicKey)
            },
            issuerPrivateKey: Certificate.PrivateKey(key)
        )
    }

    private static let dayInSeconds: Double = 86_400
    private static let loopbackAddresses: [[UInt8]] = [
        [127, 0, 0, 1], [UInt8](repeating: 0, count: 15) + [1],
    ]

    /// Creates a certificate for all names, with a separate key that is never stored.
    ///
    /// It is valid for 397 days, the maximum that clients accept (Apple, About upcoming limits on
    /// trusted certificates). Every start creates a new one.
    private func leaf(at now: Date) throws -> (Certificate, P256.Signing.PrivateKey) {
        let key = P256.Signing.PrivateKey()
        let names: [GeneralName] =
            (["localhost"] + GoogleHosts.names).map { .dnsName($0) }
            + Self.loopbackAddresses.map { .ipAddress(ASN1OctetString(contentBytes: $0[...])) }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: now.addingTimeInterval(-Self.dayInSeconds),
            notValidAfter: now.addingTimeInterval(396 * Self.dayInSeconds),
            issuer: certificate.subject,
            subject: DistinguishedName { CommonName("localhost") },
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames(names)
                try AuthorityKeyIdentifier(
                    keyIdentifier: self.certificate.extensions.subjectKeyIdentifier?.keyIdentifier
                )
            },
            issuerPrivateKey: Certificate.PrivateKey(self.key)
        )
        return (certificate, key)
    }

    /// Returns a TLS 1.2 and 1.3 context with this authority's certificate.
    ///
    /// `protocols`: what it offers with ALPN (RFC 7301).
    func serverContext(
        offering protocols: [String] = ["h2", "http/1.1"],
        at now: Date = Date()
    ) throws(EmulatorError) -> NIOSSLContext {
        do {
            let (certificate, key) = try leaf(at: now)
            let chain = try [certificate, self.certificate].map { certificate in
                let pem = try certificate.serializeAsPEM().pemString
                return NIOSSLCertificateSource.certificate(
                    try NIOSSLCertificate(bytes: Array(pem.utf8), format: .pem)
                )
            }
            let pem = Array(key.pemRepresentation.utf8)
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain,
                privateKey: .privateKey(try NIOSSLPrivateKey(bytes: pem, format: .pem))
            )
            configuration.minimumTLSVersion = .tlsv12
            configuration.applicationProtocols = protocols
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw .cannotListen(reason: "cannot set up TLS: \(error)")
        }
    }
}
