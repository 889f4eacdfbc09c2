import NIOCore
import NIOHTTP2

extension ChannelHandlerContext {
    /// Sends GOAWAY immediately, bypassing NIO's HTTP/2 handler.
    ///
    /// If that handler knew of it, it would treat frames that are still arriving for refused
    /// streams as errors, and close the connection before all answers are sent.
    func writeGoAway(lastStream: HTTP2StreamID, errorCode: UInt32) {
        let pipeline = pipeline.syncOperations
        guard let http2 = try? pipeline.context(handlerType: NIOHTTP2Handler.self) else { return }
        // Sends earlier writes first.
        flush()
        var frame = channel.allocator.buffer(capacity: 17)
        // A GOAWAY frame with eight bytes of payload, no flags and stream 0 (RFC 9113, sections 4.1
        // and 6.8).
        frame.writeBytes([0, 0, 8, 7, 0, 0, 0, 0, 0])
        frame.writeInteger(UInt32(Int(lastStream)))
        frame.writeInteger(errorCode)
        http2.writeAndFlush(NIOAny(frame), promise: nil)
    }
}
