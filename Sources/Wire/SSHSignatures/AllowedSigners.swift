/// The keys that may sign, in the format of `ssh-keygen -Y verify` (ssh-keygen(1), ALLOWED SIGNERS).
package struct AllowedSigners: Hashable, Sendable {
    package let signers: [AllowedSigner]

    /// Reads a whole file; one invalid line invalidates all of it.
    ///
    /// ssh-keygen reads lines until it finds the key, so it may accept a file that this refuses.
    package init(_ text: String) throws(SignersFileError) {
        var signers: [AllowedSigner] = []
        for (number, line) in text.numberedLines {
            do throws(SignersFileError.Reason) {
                if let signer = try AllowedSigner(line: line) { signers.append(signer) }
            } catch {
                throw SignersFileError(line: number, reason: error)
            }
        }
        self.signers = signers
    }

    /// Decides whether the key may sign as the principal.
    ///
    /// `time`: in seconds since 1970; compared with the validity of the key.
    package func verdict(
        on key: SSHPublicKey,
        of principal: String,
        namespace: String,
        at time: Int64
    ) -> SignerVerdict {
        var verdict = SignerVerdict.unlisted
        for signer in signers where signer.key == key && signer.principals.matches(principal) {
            let found = signer.verdict(namespace: namespace, at: time)
            if found == .allowed { return found }
            if verdict == .unlisted { verdict = found }
        }
        return verdict
    }

    /// Whether the key belongs to the author with this address, regardless of letter case, of the
    /// namespace and of the time.
    package func lists(_ key: SSHPublicKey, asAuthor address: String) -> Bool {
        signers.contains { $0.key == key && $0.principals.lowercased.matches(address.lowercased()) }
    }

    /// The only principal that a key can sign as; nil if there are several, or patterns.
    package func onlyPrincipal(of key: SSHPublicKey) -> String? {
        let names = Set(signers.filter { $0.key == key }.map(\.principals.onlyName))
        return names.count == 1 ? names.first ?? nil : nil
    }
}

package enum SignerVerdict: Hashable, Sendable {
    case allowed
    /// No line has the key and the principal.
    case unlisted
    case otherNamespace
    /// In seconds since 1970.
    case notYetValid(from: Int64)
    case expired(at: Int64)
}

/// One line of the file: principals, a key, and what limits it.
package struct AllowedSigner: Hashable, Sendable {
    package let principals: SSHPatternList
    package let key: SSHPublicKey
    let namespaces: SSHPatternList?
    /// In seconds since 1970.
    let validAfter: Int64?
    let validBefore: Int64?

    fileprivate func verdict(namespace: String, at time: Int64) -> SignerVerdict {
        if let namespaces, !namespaces.matches(namespace) { return .otherNamespace }
        if let validAfter, time < validAfter { return .notYetValid(from: validAfter) }
        if let validBefore, time > validBefore { return .expired(at: validBefore) }
        return .allowed
    }
}

/// Why a file of signers or revoked keys is refused.
package struct SignersFileError: Error, Hashable {
    package enum Reason: Error, Hashable {
        /// It does not have principals and a key.
        case malformed
        /// A quote is not closed, or is in the middle of the principals.
        case quotes
        case certificateAuthority
        case unknownOption(String)
        case repeatedOption(String)
        /// The value is not `YYYYMMDD[HHMM[SS]]Z`.
        case invalidTime(String)
        /// The time has no `Z`, so it depends on the machine's time zone.
        case localTime(String)
        /// The validity ends before it begins.
        case emptyValidity
        case key(SSHKeyError)
        /// The file is a key revocation list in OpenSSH's binary format.
        case binaryRevocations
    }

    /// From 1.
    package let line: Int
    package let reason: Reason
}
