import Glibc

// The C library's search functions, which are fast in builds without optimization, too.
extension UnsafeRawBufferPointer {
    /// The offset of the first such byte at or after `start`.
    package func offset(of byte: UInt8, from start: Int = 0) -> Int? {
        guard let base = baseAddress, start < count,
            let found = memchr(base + start, CInt(byte), count - start)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }

    package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard let base = baseAddress, let otherBase = other.baseAddress else { return count == 0 }
        return memcmp(base, otherBase, count) == 0
    }
}
