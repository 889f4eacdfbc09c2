import FoundationEssentials
import SystemIO

/// Reads a regular file block by block.
struct FileBlocks: ~Copyable {
    let file: File

    private static let blockSize = 65_536

    /// Refuses pipes and devices immediately, because reading them may never begin or end.
    ///
    /// - Throws: Why the file cannot be opened, if possible as reported by the operating system.
    init(path: String) throws(RegistrationListError.Reason) {
        file = try Self.open(path)
    }

    private static func open(_ path: String) throws(RegistrationListError.Reason) -> File {
        do throws(SystemError) {
            let file = try File(path, for: .reading, options: [.withoutWaiting, .refusingLinks])
            let status = try file.status()
            if status.isFile { return file }
            if status.isFolder { throw SystemError.isFolder }
        } catch {
            guard error != .linkLoop else { throw RegistrationListError.Reason.link }
            throw RegistrationListError.Reason(error)
        }
        throw RegistrationListError.Reason.noRegularFile
    }

    /// Appends the next block to the buffer; returns false at the file's end.
    func append(to buffer: inout [UInt8]) throws(RegistrationListError.Reason) -> Bool {
        do throws(SystemError) {
            return try file.append(to: &buffer, atMost: Self.blockSize) > 0
        } catch {
            throw RegistrationListError.Reason(error)
        }
    }
}

extension RegistrationListError {
    /// Returns the path of a list's file; a relative path is relative to the directory.
    static func fullPath(_ path: String, in directory: String) -> String {
        path.hasPrefix("/") ? path : directory + "/" + path
    }
}
