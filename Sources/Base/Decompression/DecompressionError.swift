package import SystemIO

/// Why a compressed file cannot be read to its end.
package struct DecompressionError: Error, Hashable, Sendable {
    package enum Problem: Hashable, Sendable {
        case unreadable(SystemError)
        /// The file ends inside a frame.
        case truncated
        /// The data contradicts the format or its checksum, or needs a dictionary.
        case damaged
        /// Bytes that do not begin a frame follow a frame.
        case trailingBytes
        /// The data needs a window of more than 128 MiB.
        case windowTooLarge
        /// The contents exceed the maximum length.
        case tooLong
        case noMemory
    }

    package let problem: Problem
    /// The position in the compressed file, from 1.
    ///
    /// For `truncated`, the last byte; for `damaged`, the byte at which decoding failed, or the
    /// start of the part of a zstd frame that contains it.
    package let byte: Int
}
