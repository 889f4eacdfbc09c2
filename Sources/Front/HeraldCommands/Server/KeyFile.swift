import Presentation
import SystemIO

/// A file that contains a secret.
struct KeyFile {
    private let path: String

    init(_ path: String) {
        self.path = path
    }

    /// The maximum size in bytes, more than any credential or system certificate bundle has.
    private static let most = 4 << 20

    func contents() throws(CommandFailure) -> [UInt8] {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try File(path, for: .reading).readToEnd(limit: Self.most)
        } catch {
            throw CommandFailure(.unreadableKeyFile(path, because: error.reason))
        }
        guard bytes.count <= Self.most else {
            throw CommandFailure(.largeKeyFile(path))
        }
        return bytes
    }

    /// Creates the file, readable only by its owner.
    ///
    /// Fails if it exists.
    func create(_ text: String) throws(CommandFailure) {
        do throws(SystemError) {
            try File(path, for: .writing, options: [.new, .refusingLinks]).write(Array(text.utf8))
        } catch {
            throw CommandFailure(.unwritableOutput(path, because: error.reason))
        }
    }
}
