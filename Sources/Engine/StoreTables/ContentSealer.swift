package import FoundationEssentials
package import State

/// Seals and opens the secret content of a state; a plain state's content stays as it is.
package struct ContentSealer {
    package let vault: StateVault?
    package let path: String

    package init(vault: StateVault?, path: String) {
        self.vault = vault
        self.path = path
    }

    package func seal(_ content: Data, at place: SealedPlace) throws -> Data {
        try vault?.seal(content, at: place) ?? content
    }

    package func seal(_ content: [UInt8], at place: SealedPlace) throws -> [UInt8] {
        try vault.map { [UInt8](try $0.seal(Data(content), at: place)) } ?? content
    }

    package func open(_ content: Data, at place: SealedPlace) throws -> Data {
        guard let vault else {
            // Encrypted since it was opened.
            guard content.first != StateVault.mark else {
                throw StateStoreError.encrypted(path: path)
            }
            return content
        }
        guard let plain = vault.open(content, at: place) else {
            throw damaged("a stored registration cannot be decrypted")
        }
        return plain
    }

    package func damaged(_ reason: String) -> StateStoreError {
        .damaged(path: path, reason: reason)
    }
}
