// The peer of the emulator's benchmark: the same TLS and HTTP/2 handlers on one event loop, and a
// fixed answer to every request: BareServer CERTIFICATE KEY frames|streams
//
// `frames` uses the connection's frames, as in the emulator; `streams` gives each stream a channel
// with HTTP/1 semantics, as in NIO's own helpers.

import Glibc
import NIOCore
import NIOHPACK
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL

let answer = ByteBuffer(
    string: #"{"name":"projects/bench/messages/0:1600000000000001%0123456789abcdef"}"#
)
let contentType = "application/json; charset=UTF-8"

/// A class, because NIO's handlers are classes.
final class FrameAnswerer: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private var received = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.payload {
        case .headers(let headers) where headers.endStream: finish(frame.streamID, context)
        case .data(let data):
            credit(data.data.readableBytes, context)
            if data.endStream { finish(frame.streamID, context) }
        default: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.flush()
    }

    private func credit(_ bytes: Int, _ context: ChannelHandlerContext) {
        received += bytes
        guard received > 32_768 else { return }
        write(.windowUpdate(windowSizeIncrement: received), .rootStream, context)
        received = 0
    }

    private func finish(_ stream: HTTP2StreamID, _ context: ChannelHandlerContext) {
        let headers: HPACKHeaders = [
            ":status": "200", "content-type": contentType,
            "content-length": String(answer.readableBytes),
        ]
        write(.headers(.init(headers: headers)), stream, context)
        write(.data(.init(data: .byteBuffer(answer), endStream: true)), stream, context)
    }

    private func write(
        _ payload: HTTP2Frame.FramePayload,
        _ stream: HTTP2StreamID,
        _ context: ChannelHandlerContext
    ) {
        let frame = HTTP2Frame(streamID: stream, payload: payload)
        context.write(wrapOutboundOut(frame), promise: nil)
    }
}

/// A class, because NIO's handlers are classes.
final class StreamAnswerer: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .end = unwrapInboundIn(data) else { return }
        let headers: HTTPHeaders = [
            "content-type": contentType, "content-length": String(answer.readableBytes),
        ]
        let head = HTTPResponseHead(version: .http2, status: .ok, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(answer))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}

let arguments = CommandLine.arguments
guard arguments.count == 4, ["frames", "streams"].contains(arguments[3]) else {
    fatalError("usage: BareServer CERTIFICATE KEY frames|streams")
}
var configuration = TLSConfiguration.makeServerConfiguration(
    certificateChain: try NIOSSLCertificate.fromPEMFile(arguments[1]).map { .certificate($0) },
    privateKey: .privateKey(try NIOSSLPrivateKey(file: arguments[2], format: .pem))
)
configuration.applicationProtocols = ["h2"]
let tls = try NIOSSLContext(configuration: configuration)
let worksOnFrames = arguments[3] == "frames"

let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
let server = try await ServerBootstrap(group: group)
    .serverChannelOption(.backlog, value: 1_024)
    .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
    .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(NIOSSLServerHandler(context: tls))
            guard worksOnFrames else {
                _ = try pipeline.configureHTTP2Pipeline(
                    mode: .server,
                    connectionConfiguration: .init(),
                    streamConfiguration: .init()
                ) { stream in
                    stream.eventLoop.makeCompletedFuture {
                        try stream.pipeline.syncOperations.addHandlers(
                            HTTP2FramePayloadToHTTP1ServerCodec(),
                            StreamAnswerer()
                        )
                    }
                }
                return
            }
            let settings =
                nioDefaultSettings + [
                    HTTP2Setting(parameter: .initialWindowSize, value: 1_048_576)
                ]
            try pipeline.addHandlers([
                NIOHTTP2Handler(mode: .server, initialSettings: settings), FrameAnswerer(),
            ])
        }
    }
    .bind(host: "127.0.0.1", port: 0)
    .get()
print("https://127.0.0.1:\(server.localAddress?.port ?? 0)")
fflush(nil)
try await server.closeFuture.get()
