import Glibc

// MARK: - Reading

extension File {
    /// Reads the next bytes; an empty array means the end of the file.
    package func read(atMost count: Int) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        try append(to: &bytes, atMost: count)
        return bytes
    }

    /// Reads the next bytes into an array.
    ///
    /// Returns their count, which is 0 at the end of the file. The array's new part is not filled
    /// with zeros first, because that is slow in builds without optimization.
    @discardableResult
    package func append(
        to bytes: inout [UInt8],
        atMost count: Int
    ) throws(SystemError) -> Int {
        try Self.append(to: &bytes, atMost: count) { Glibc.read(descriptor, $0, count) }
    }

    /// Reads to the end of a file or pipe, but stops after more than `limit` bytes.
    ///
    /// A result of more than `limit` bytes is not the whole file.
    package func readToEnd(limit: Int) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count <= limit, try append(to: &bytes, atMost: 16_384) > 0 {}
        return bytes
    }

    /// Reads bytes at an offset; fewer than `count` only at the end of the file.
    package func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        try append(to: &bytes, at: offset, count: count)
        return bytes
    }

    /// Reads bytes at an offset into an array; fewer than `count` only at the end of the file.
    ///
    /// Returns the number of bytes.
    @discardableResult
    package func append(
        to bytes: inout [UInt8],
        at offset: Int,
        count: Int
    ) throws(SystemError) -> Int {
        var total = 0
        while total < count {
            let left = count - total
            let place = off_t(offset + total)
            let step = try Self.append(to: &bytes, atMost: left) {
                pread(descriptor, $0, left, place)
            }
            if step == 0 { break }
            total += step
        }
        return total
    }

    /// Fills memory with the bytes at an offset.
    ///
    /// - Throws: `.inputOutput` if the file ends before that.
    package func read(
        into memory: UnsafeMutableRawBufferPointer,
        at offset: Int
    ) throws(SystemError) {
        var done = 0
        while done < memory.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: memory[done...])
            let count = pread(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw count < 0 ? .last : .inputOutput }
            done += count
        }
    }

    private static func append(
        to bytes: inout [UInt8],
        atMost count: Int,
        read: (UnsafeMutableRawPointer?) -> Int
    ) throws(SystemError) -> Int {
        var result = 0
        var problem: SystemError?
        bytes.append(addingCapacity: count) { span in
            span.withUnsafeMutableBufferPointer { buffer, initialized in
                repeat {
                    result = read(buffer.baseAddress)
                    problem = result < 0 ? .last : nil
                } while problem == .interrupted
                initialized += max(0, result)
            }
        }
        if let problem { throw problem }
        return result
    }
}

// MARK: - Writing

extension File {
    /// Writes all bytes.
    package func write(_ bytes: [UInt8]) throws(SystemError) {
        try Self.write(bytes) { rest, _ in Glibc.write(descriptor, rest.baseAddress, rest.count) }
    }

    /// Writes all bytes at an offset.
    package func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
        let failure = bytes.withUnsafeBytes { problem(writing: $0, at: offset) }
        if let failure { throw failure }
    }

    /// Writes memory at an offset; returns why that is not possible.
    package func problem(writing memory: UnsafeRawBufferPointer, at offset: Int) -> SystemError? {
        Self.problem(writing: memory) { rest, done in
            pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
        }
    }

    private static func write(
        _ bytes: [UInt8],
        with write: (UnsafeRawBufferPointer, Int) -> Int
    ) throws(SystemError) {
        let failure = bytes.withUnsafeBytes { problem(writing: $0, with: write) }
        if let failure { throw failure }
    }

    /// Passes the remaining bytes, and the number of bytes that are already written.
    private static func problem(
        writing bytes: UnsafeRawBufferPointer,
        with write: (UnsafeRawBufferPointer, Int) -> Int
    ) -> SystemError? {
        var done = 0
        while done < bytes.count {
            let count = write(UnsafeRawBufferPointer(rebasing: bytes[done...]), done)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return count < 0 ? .last : .noSpace }
            done += count
        }
        return nil
    }
}
