import CampaignReporting
import FoundationEssentials

#if canImport(Glibc)
import Glibc
#endif

/// A file with a secret in it.
struct KeyFile {
    private let path: String

    init(_ path: String) {
        self.path = path
    }

    func contents() throws(CommandFailure) -> [UInt8] {
        do {
            return Array(try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw CommandFailure("\(TextStyle.safe(path)) can't be read")
        }
    }

    /// Makes the file, which must not be there, for nobody else to read.
    func create(_ text: String) throws(CommandFailure) {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw failure }
        defer { close(file) }
        let bytes = Array(text.utf8)
        guard bytes.withUnsafeBytes({ write(file, $0.baseAddress, $0.count) }) == bytes.count else {
            throw failure
        }
    }

    /// The last failure in the operating system's words.
    private var failure: CommandFailure {
        CommandFailure(
            "\(TextStyle.safe(path)) can't be written: \(String(cString: strerror(errno)))"
        )
    }
}
