import Testing

@testable import SSHSignatures

struct SSHSignatureTests {
    @Test(arguments: SignatureFixtures.all.indices)
    func `verifies a signature of ssh-keygen, and only of its text and namespace`(
        index: Int
    ) throws {
        let fixture = SignatureFixtures.all[index]
        let signature = try SSHSignature(armored: fixture.signature)
        try signature.verify(SignatureFixtures.message, namespace: "herald")
        #expect(throws: SSHSignatureError.invalid) {
            try signature.verify(SignatureFixtures.message + [10], namespace: "herald")
        }
        #expect(throws: SSHSignatureError.otherNamespace("herald")) {
            try signature.verify(SignatureFixtures.message, namespace: "file")
        }
        #expect(signature.key == SSHPublicKey(fileContent: fixture.key))
    }

    @Test(arguments: SignatureFixtures.all.indices)
    func `refuses a signature by another key`(index: Int) throws {
        let other = SignatureFixtures.all[(index + 1) % SignatureFixtures.all.count]
        let signature = try SSHSignature(armored: SignatureFixtures.all[index].signature)
        let key = try SSHSignature(armored: other.signature).key
        #expect(!key.isValid(signature: signature.signature, of: SignatureFixtures.message))
    }

    @Test(arguments: ["", "x", "-----BEGIN SSH SIGNATURE-----\n-----END SSH SIGNATURE-----"])
    func `refuses text that is no signature`(text: String) {
        #expect(throws: SSHSignatureError.malformed) { try SSHSignature(armored: text) }
    }
}

struct AllowedSignersTests {
    private let key = SignatureFixtures.all[0].key

    private func verdict(
        _ options: String,
        of principal: String = "ana@example.com"
    ) throws
        -> SignerVerdict
    {
        let signers = try AllowedSigners("# approvers\r\n\n*@example.com \(options) \(key)\r\n")
        let key = try #require(SSHPublicKey(fileContent: key))
        return signers.verdict(on: key, of: principal, namespace: "herald", at: 1_800_000_000)
    }

    @Test func `limits a key by principal, namespace and time`() throws {
        #expect(try verdict("") == .allowed)
        #expect(try verdict("", of: "ana@example.org") == .unlisted)
        #expect(try verdict("namespaces=\"git,her*\"") == .allowed)
        #expect(try verdict("namespaces=\"*,!herald\"") == .otherNamespace)
        #expect(try verdict("valid-after=\"20270115080000Z\"") == .allowed)
        #expect(
            try verdict("valid-after=\"20270115080001Z\"") == .notYetValid(from: 1_800_000_001)
        )
        #expect(try verdict("valid-before=\"202701150800Z\"") == .allowed)
        #expect(
            try verdict("valid-before=\"20270115Z\"") == .expired(at: 1_799_971_200)
        )
    }

    @Test(arguments: [
        ("cert-authority", SignersFileError.Reason.certificateAuthority),
        ("valid-after=\"20270115\"", .localTime("20270115")),
        ("valid-after=\"20270230Z\"", .invalidTime("20270230Z")),
        ("valid-after=\"20270102Z\",valid-before=\"20270101Z\"", .emptyValidity),
        ("namespaces=\"a\",namespaces=\"b\"", .repeatedOption("namespaces")),
        ("no-touch-required", .unknownOption("no-touch-required")),
        ("namespaces=\"a", .quotes),
    ])
    func `refuses a file with an invalid option`(
        options: String,
        reason: SignersFileError.Reason
    ) {
        #expect(throws: SignersFileError(line: 3, reason: reason)) { try verdict(options) }
    }

    @Test func `reads revoked keys, and refuses the binary form`() throws {
        let revoked = try RevokedKeys("# lost\n\(key) laptop\n")
        #expect(revoked.contains(try #require(SSHPublicKey(fileContent: key))))
        #expect(throws: SignersFileError(line: 1, reason: .binaryRevocations)) {
            try RevokedKeys("SSHKRL\n\u{0}")
        }
    }
}
