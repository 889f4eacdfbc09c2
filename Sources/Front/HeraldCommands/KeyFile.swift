import Glibc
import Presentation

/// A file that contains a secret.
struct KeyFile {
    private let path: String

    init(_ path: String) {
        self.path = path
    }

    /// The maximum size in bytes, more than any credential or system certificate bundle has.
    private static let most = 4 << 20

    func contents() throws(CommandFailure) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw failure("read") }
        defer { close(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while bytes.count <= Self.most {
            let count = read(file, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("read") }
            if count == 0 { return bytes }
            bytes += chunk.prefix(count)
        }
        throw CommandFailure(
            "\(TextStyle.safe(path)) can't be read: it is larger than 4 MiB",
            help: "check the path"
        )
    }

    /// Creates the file, readable only by its owner.
    ///
    /// Fails if it exists.
    func create(_ text: String) throws(CommandFailure) {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw failure("written") }
        defer { close(file) }
        let bytes = Array(text.utf8)
        guard bytes.withUnsafeBytes({ write(file, $0.baseAddress, $0.count) }) == bytes.count else {
            throw failure("written")
        }
    }

    /// A failure with the operating system's description of the last error.
    private func failure(_ deed: String) -> CommandFailure {
        CommandFailure(
            "\(TextStyle.safe(path)) can't be \(deed): \(String(cString: strerror(errno)))"
        )
    }
}
