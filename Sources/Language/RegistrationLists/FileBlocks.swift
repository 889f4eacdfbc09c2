import FoundationEssentials
import Glibc

/// Reads a regular file block by block.
struct FileBlocks: ~Copyable {
    private let descriptor: Int32

    private static let blockSize = 65_536

    /// Refuses pipes and devices immediately, because reading them may never begin or end.
    ///
    /// - Throws: Why the file cannot be opened, if possible as reported by the operating system.
    init(path: String) throws(RegistrationListError.Reason) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw RegistrationListError.Reason(errorNumber: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw RegistrationListError.Reason(errorNumber: errno)
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw RegistrationListError.Reason(errorNumber: EISDIR)
        default: throw RegistrationListError.Reason.noRegularFile
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Appends the next block to the buffer; returns false at the file's end.
    func append(to buffer: inout [UInt8]) throws(RegistrationListError.Reason) -> Bool {
        let start = buffer.count
        buffer.append(contentsOf: repeatElement(0, count: Self.blockSize))
        let count = buffer.withUnsafeMutableBytes { bytes in
            read(descriptor, bytes.baseAddress?.advanced(by: start), Self.blockSize)
        }
        guard count >= 0 else { throw RegistrationListError.Reason(errorNumber: errno) }
        buffer.removeLast(Self.blockSize - count)
        return count > 0
    }
}

extension RegistrationListError {
    /// Returns the path of a list's file; a relative path is relative to the directory.
    static func fullPath(_ path: String, in directory: String) -> String {
        path.hasPrefix("/") ? path : directory + "/" + path
    }
}
