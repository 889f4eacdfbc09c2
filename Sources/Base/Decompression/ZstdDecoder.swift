internal import CLibZstd

/// libzstd's state of one stream; freed at the end.
@safe struct ZstdDecoder: ~Copyable {
    private let stream: OpaquePointer
    /// The number of bytes up to the end of the next block, which the library requested.
    ///
    /// With pieces of this size, the start of a damaged block is known.
    private var requested = Self.headerLength

    /// The bytes of a frame from which the library computes the length of the header.
    private static let headerLength = 5
    /// The largest window is 128 MiB, which is also the default of the `zstd` command.
    private static let largestWindowLog: CInt = 27

    /// Returns nil if libzstd is out of memory.
    init?() {
        guard let stream = unsafe ZSTD_createDStream() else { return nil }
        unsafe self.stream = unsafe stream
        unsafe ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, Self.largestWindowLog)
    }

    deinit {
        unsafe ZSTD_freeDStream(stream)
    }

    /// Writes at most as many bytes as `output` has space for.
    mutating func decode(
        _ input: ArraySlice<UInt8>,
        into output: inout OutputSpan<UInt8>
    ) -> DecodingStep {
        var result = 0
        var consumed = 0
        var produced = 0
        unsafe input.prefix(requested).withUnsafeBufferPointer { input in
            unsafe output.withUnsafeMutableBufferPointer { space, initialized in
                var source = unsafe ZSTD_inBuffer(
                    src: input.baseAddress,
                    size: input.count,
                    pos: 0
                )
                var target = unsafe ZSTD_outBuffer(
                    dst: space.baseAddress,
                    size: space.count,
                    pos: initialized
                )
                result = unsafe ZSTD_decompressStream(stream, &target, &source)
                consumed = unsafe source.pos
                produced = unsafe target.pos - initialized
                unsafe initialized = target.pos
            }
        }
        if ZSTD_isError(result) == 0 { requested = result == 0 ? Self.headerLength : result }
        return DecodingStep(
            consumed: consumed,
            produced: produced,
            result: Self.meaning(of: result)
        )
    }

    private static func meaning(of result: Int) -> DecodingStep.Result {
        guard ZSTD_isError(result) != 0 else { return result == 0 ? .endOfFrame : .unfinished }
        if herald_zstd_needs_larger_window(result) != 0 { return .windowTooLarge }
        return herald_zstd_lacks_memory(result) != 0 ? .noMemory : .damaged
    }
}
