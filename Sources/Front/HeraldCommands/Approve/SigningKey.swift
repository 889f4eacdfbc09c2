import Approvals
import Presentation
import SSHSignatures
import SystemIO

/// A key that `ssh-keygen` signs with: a private key, or the public key of one in the SSH agent.
struct SigningKey {
    private let path: String
    /// Nil if there is no public key next to the private key.
    let publicKey: SSHPublicKey?

    /// Finds the key.
    ///
    /// `path`: nil for the first key in `~/.ssh`, in the order of ssh.
    init(_ path: String?, variables: [String: String]) throws(CommandFailure) {
        let home = variables["HOME"] ?? ""
        let known = Self.names.map { "\(home)/.ssh/\($0)" }.first { FileSystem.exists($0) }
        guard let path = path ?? known else { throw CommandFailure(.noSigningKey) }
        self.path = path
        publicKey = Self.publicKey(at: path) ?? Self.publicKey(at: path + ".pub")
    }

    /// The files that ssh tries (ssh(1), `-i`).
    private static let names = ["id_rsa", "id_ecdsa", "id_ecdsa_sk", "id_ed25519", "id_ed25519_sk"]

    private static func publicKey(at path: String) -> SSHPublicKey? {
        guard case .bytes(let bytes) = FileContents(of: path, limit: 1 << 16) else { return nil }
        return SSHPublicKey(fileContent: String(decoding: bytes, as: UTF8.self))
    }

    /// Returns the signature of a text.
    ///
    /// ssh-keygen asks on the terminal for a passphrase, or for a touch of the security key.
    func sign(_ text: String, namespace: String) throws(CommandFailure) -> String {
        let folder = try temporaryFolder()
        let file = "\(folder)/approval"
        defer {
            for name in [file, file + ".sig"] { FileSystem.remove(name) }
            Folder.removeEmpty(folder)
        }
        let code: CInt?
        do throws(SystemError) {
            try AtomicFile(file).write(Array(text.utf8), permissions: 0o600)
            code = try run(["-q", "-Y", "sign", "-n", namespace, "-f", path, file])
        } catch {
            throw CommandFailure(.notSigned(because: error.reason))
        }
        guard code == 0 else {
            let end = code.map { "it exited with \($0)" } ?? "it was ended"
            throw CommandFailure(.notSigned(because: end))
        }
        guard case .bytes(let bytes) = FileContents(of: file + ".sig", limit: 1 << 16) else {
            throw CommandFailure(.notSigned(because: "it wrote no signature"))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func run(_ arguments: [String]) throws(SystemError) -> CInt? {
        let child = try ChildProcess(starting: ["ssh-keygen"] + arguments, in: .shared)
        _ = child.read(until: .now + Self.patience, atMost: 1 << 16)
        return child.exitCode(until: .now + .seconds(5))
    }

    /// A person enters a passphrase or touches a key within this time.
    private static let patience = Duration.seconds(300)

    private func temporaryFolder() throws(CommandFailure) -> String {
        let base = CommandContext.current.variables["TMPDIR"] ?? "/tmp"
        let number = UInt64.random(in: .min ... .max)
        let folder = "\(base)/herald-approve-\(number)"
        do throws(SystemError) { try Folder.create(folder) } catch {
            throw CommandFailure(.unwritable(TextStyle.safe(folder), because: error.reason))
        }
        return folder
    }
}
