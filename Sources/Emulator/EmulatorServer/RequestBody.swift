import EmulatorAPI
import NIOCore

/// The body of an incoming request.
///
/// An excessive body is read completely, so that the client receives the answer, but it is
/// discarded.
struct RequestBody {
    private var buffer = ByteBuffer()
    private(set) var isTooLarge: Bool

    /// Creates a body; `length` is the length that the client announced.
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
