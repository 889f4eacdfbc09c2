import Decompression
import FoundationEssentials
import SystemIO

/// Reads the contents of a regular file, or the output of a source, block by block.
///
/// Decompresses a file that begins like gzip or zstd data. The output of a source is never
/// decompressed.
struct FileBlocks: ~Copyable {
    private let file: File
    private let version: FileVersion
    private let compression: CompressionFormat?
    private let limit: DecompressionLimit
    /// nil exactly if the file is not compressed.
    private var decompressor: FileDecompressor?
    /// The number of bytes that were read from an output; nil for a file.
    private var position: Int?

    private static let blockSize = 65_536

    /// Refuses pipes and devices immediately, because reading them may never begin or end.
    ///
    /// - Throws: Why the file cannot be opened, if possible as reported by the operating system.
    init(path: String) throws(RegistrationListError.Reason) {
        let file = try Self.open(path)
        let status = try Self.status(of: file)
        let compression = try Self.compression(of: file)
        let limit = DecompressionLimit(forFileOfSize: status.size)
        let decompressor = try Self.decompressor(for: compression, limit: limit)
        self.init(
            file: file,
            version: status.version,
            compression: compression,
            limit: limit,
            decompressor: decompressor
        )
    }

    /// The output is read by several readers at different positions.
    init(_ output: SourceOutput) throws(RegistrationListError.Reason) {
        let file: File
        do throws(SystemError) {
            file = try output.open()
        } catch {
            throw RegistrationListError.Reason(error)
        }
        let status = try Self.status(of: file)
        self.init(
            file: file,
            version: status.version,
            compression: nil,
            limit: DecompressionLimit(forFileOfSize: status.size),
            decompressor: nil
        )
        position = 0
    }

    private init(
        file: consuming File,
        version: FileVersion,
        compression: CompressionFormat?,
        limit: DecompressionLimit,
        decompressor: consuming FileDecompressor?
    ) {
        self.file = file
        self.version = version
        self.compression = compression
        self.limit = limit
        self.decompressor = decompressor
    }

    /// Appends the next block to the buffer; returns false at the file's end.
    ///
    /// A block contains at least three bytes unless the file ends.
    ///
    /// - Throws: Also at the end, if the file changed in the meantime.
    mutating func append(to buffer: inout [UInt8]) throws(RegistrationListError.Reason) -> Bool {
        if try appendBlock(to: &buffer) > 0 { return true }
        guard try Self.status(of: file).version == version else {
            throw RegistrationListError.Reason.changed
        }
        return false
    }

    private mutating func appendBlock(
        to buffer: inout [UInt8]
    ) throws(RegistrationListError.Reason) -> Int {
        guard let compression else { return try appendPlainBlock(to: &buffer) }
        do throws(DecompressionError) {
            return try decompressor?
                .append(to: &buffer, atMost: Self.blockSize, from: file) ?? 0
        } catch {
            throw RegistrationListError.Reason(error, of: compression, limit: limit)
        }
    }

    private mutating func appendPlainBlock(
        to buffer: inout [UInt8]
    ) throws(RegistrationListError.Reason) -> Int {
        do throws(SystemError) {
            guard let place = position else {
                return try file.append(to: &buffer, atMost: Self.blockSize)
            }
            let count = try file.append(to: &buffer, at: place, count: Self.blockSize)
            position = place + count
            return count
        } catch {
            throw RegistrationListError.Reason(error)
        }
    }
}

// MARK: - Opening

extension FileBlocks {
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

    private static func status(
        of file: borrowing File
    ) throws(RegistrationListError.Reason) -> FileStatus {
        do throws(SystemError) {
            return try file.status()
        } catch {
            throw RegistrationListError.Reason(error)
        }
    }

    /// Does not change the position from which the file is read.
    private static func compression(
        of file: borrowing File
    ) throws(RegistrationListError.Reason) -> CompressionFormat? {
        do throws(SystemError) {
            let start = try file.read(at: 0, count: CompressionFormat.signatureLength)
            return CompressionFormat(firstBytes: start)
        } catch {
            throw RegistrationListError.Reason(error)
        }
    }

    private static func decompressor(
        for format: CompressionFormat?,
        limit: DecompressionLimit
    ) throws(RegistrationListError.Reason) -> FileDecompressor? {
        guard let format else { return nil }
        do throws(DecompressionError) {
            return try FileDecompressor(format, maximumLength: limit.length)
        } catch {
            throw RegistrationListError.Reason(error, of: format, limit: limit)
        }
    }
}
