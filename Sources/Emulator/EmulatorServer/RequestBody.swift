import NIOCore

/// The body of a request that is coming in.
///
/// What is over the limit is read, so that the client gets to see the answer, but not kept.
struct RequestBody {
    private var buffer = ByteBuffer()
    private(set) var isTooLarge: Bool

    /// `length` is what the client says that will come.
    init(length: Int = 0) {
        isTooLarge = length > EmulatorRequest.bodyLimit
    }

    mutating func collect(_ part: inout ByteBuffer) {
        isTooLarge =
            isTooLarge || buffer.readableBytes + part.readableBytes > EmulatorRequest.bodyLimit
        if isTooLarge {
            buffer.clear(minimumCapacity: 0)
        } else if buffer.readableBytes == 0 {
            buffer = part
        } else {
            buffer.writeBuffer(&part)
        }
    }

    var bytes: [UInt8] { Array(buffer.readableBytesView) }
}
