import NIOCore
import NIOHTTP2

extension ChannelHandlerContext {
    /// Sends GOAWAY at once, past NIO's HTTP/2: once that knows of it, it takes what a client has
    /// still on its way for the refused streams for a mistake, and ends the connection before it
    /// has sent everything.
    func writeGoAway(lastStream: HTTP2StreamID, errorCode: UInt32) {
        let pipeline = pipeline.syncOperations
        guard let http2 = try? pipeline.context(handlerType: NIOHTTP2Handler.self) else { return }
        // What was written before goes before it.
        flush()
        var frame = channel.allocator.buffer(capacity: 17)
        // A payload of eight bytes, of the type GOAWAY, without flags, on the connection itself
        // (RFC 9113, sections 4.1 and 6.8).
        frame.writeBytes([0, 0, 8, 7, 0, 0, 0, 0, 0])
        frame.writeInteger(UInt32(Int(lastStream)))
        frame.writeInteger(errorCode)
        http2.writeAndFlush(NIOAny(frame), promise: nil)
    }
}
