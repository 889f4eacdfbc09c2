/// Public keys whose signatures no longer count, one per line: `KIND BASE64 [COMMENT]`.
///
/// The text form of `ssh-keygen -Y verify -r`. Its binary form is refused.
package struct RevokedKeys: Hashable, Sendable {
    package let keys: Set<SSHPublicKey>

    package static let none = RevokedKeys(keys: [])

    package init(_ text: String) throws(SignersFileError) {
        guard !text.hasPrefix("SSHKRL\n") else {
            throw SignersFileError(line: 1, reason: .binaryRevocations)
        }
        var keys: Set<SSHPublicKey> = []
        for (number, line) in text.numberedLines {
            var scanner = SignerLineScanner(line)
            scanner.skipBlanks()
            guard let first = scanner.next, first != "#" else { continue }
            do throws(SignersFileError.Reason) {
                keys.insert(try SSHPublicKey(line: scanner.rest))
            } catch {
                throw SignersFileError(line: number, reason: error)
            }
        }
        self.keys = keys
    }

    private init(keys: Set<SSHPublicKey>) {
        self.keys = keys
    }

    package func contains(_ key: SSHPublicKey) -> Bool { keys.contains(key) }

    package func union(_ other: RevokedKeys) -> RevokedKeys {
        RevokedKeys(keys: keys.union(other.keys))
    }
}
