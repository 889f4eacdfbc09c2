import Glibc

/// A new file whose contents this process changes as memory (mmap(2), MAP_SHARED).
///
/// The kernel keeps the changes when the process ends, and writes them to the disk at any time.
package struct MappedFile: ~Copyable, @unchecked Sendable {
    private let space: UnsafeMutableRawBufferPointer

    /// Creates a file of `size` zeros for which the disk has room; only its owner can read it.
    package init(creating path: String, size: Int) throws(SystemError) {
        let file = try File(path, for: .readingAndWriting, options: .new)
        // The first write to a page for which the disk has no room would end the process.
        let problem = posix_fallocate(file.descriptor, 0, off_t(size))
        guard problem == 0 else { throw SystemError(number: problem) }
        let start = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file.descriptor, 0)
        guard let start, start != MAP_FAILED else { throw .last }
        space = UnsafeMutableRawBufferPointer(start: start, count: size)
    }

    deinit {
        munmap(space.baseAddress, space.count)
    }

    /// Stores eight bytes, in the order of the processor.
    package func store(_ number: UInt64, at offset: Int) {
        space.storeBytes(of: number, toByteOffset: offset, as: UInt64.self)
    }

    /// Stores the bytes that fit before the end of the file.
    package func store(_ bytes: [UInt8], at offset: Int) {
        let rest = UnsafeMutableRawBufferPointer(rebasing: space[offset...])
        rest.copyBytes(from: bytes.prefix(rest.count))
    }
}
