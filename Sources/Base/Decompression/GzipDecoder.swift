internal import CLibZlib

/// zlib's state of one gzip stream; freed at the end.
///
/// zlib stores the address of the stream, so the stream stays at one place in memory.
@safe struct GzipDecoder: ~Copyable {
    private let stream: UnsafeMutablePointer<z_stream>

    /// Returns nil if zlib is out of memory.
    init?() {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        guard unsafe herald_gzip_begin(stream) == Z_OK else {
            unsafe stream.deallocate()
            return nil
        }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Prepares for the next member of the file.
    func beginFrame() {
        unsafe inflateReset(stream)
    }

    /// Writes at most as many bytes as `output` has space for.
    func decode(_ input: ArraySlice<UInt8>, into output: inout OutputSpan<UInt8>) -> DecodingStep {
        unsafe input.withUnsafeBufferPointer { input in
            unsafe output.withUnsafeMutableBufferPointer { space, initialized in
                let free = space.count - initialized
                // zlib does not write to its input, although the type is not const.
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                unsafe stream.pointee.avail_in = UInt32(input.count)
                unsafe stream.pointee.next_out = space.baseAddress.map { unsafe $0 + initialized }
                unsafe stream.pointee.avail_out = UInt32(free)
                let code = unsafe inflate(stream, Z_NO_FLUSH)
                let produced = unsafe free - Int(stream.pointee.avail_out)
                initialized += produced
                return unsafe DecodingStep(
                    consumed: input.count - Int(stream.pointee.avail_in),
                    produced: produced,
                    result: Self.result(of: code)
                )
            }
        }
    }

    private static func result(of code: CInt) -> DecodingStep.Result {
        switch code {
        // `Z_BUF_ERROR` means that no progress was possible.
        case Z_OK, Z_BUF_ERROR: .unfinished
        case Z_STREAM_END: .endOfFrame
        case Z_MEM_ERROR: .noMemory
        default: .damaged
        }
    }
}
