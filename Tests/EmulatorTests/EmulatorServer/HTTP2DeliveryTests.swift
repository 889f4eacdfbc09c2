import EmulatorAPI
import Glibc
import Testing

@testable import EmulatorServer

struct HTTP2DeliveryTests {
    private typealias Frame = HTTP2WireFrame

    /// Expects HEADERS and DATA of a whole answer; `:status: 200` is the first field.
    private func expectWhole(_ client: HTTP2Client, stream: Int) throws {
        let head = try client.next()
        #expect(head.type == Frame.headers)
        #expect(head.stream == stream)
        #expect(head.payload.first == 0x88)
        let data = try client.next()
        #expect(
            data
                == Frame(
                    type: Frame.data,
                    flags: Frame.endStream,
                    stream: stream,
                    payload: AnsweringServer.body
                )
        )
    }

    @Test func `announces the maximum number of streams`() async throws {
        try await AnsweringServer.run(maxConcurrentStreams: 7) { server in
            let settings = try HTTP2Client(url: server.url).read()
            #expect(settings.type == Frame.settings)
            // SETTINGS_MAX_CONCURRENT_STREAMS (RFC 9113, section 6.5.2).
            #expect(settings.payload.starts(with: [0, 3, 0, 0, 0, 7]))
        }
    }

    @Test func `a delayed answer does not block later ones`() async throws {
        let deliveries: [String: AnswerDelivery] = [
            "/late": .delayed(milliseconds: 50), "/never": .never,
        ]
        try await AnsweringServer.run(deliveries) { server in
            let client = try HTTP2Client(url: server.url)
            try client.get("/late", "/never", "/whole")
            try expectWhole(client, stream: 5)
            try expectWhole(client, stream: 1)
        }
    }

    @Test func `a slow answer is sent in pieces`() async throws {
        try await AnsweringServer.run(["/slow": .slow(bytesPerSecond: 1_000)]) { server in
            let client = try HTTP2Client(url: server.url)
            try client.get("/slow")
            #expect(try client.next().type == Frame.headers)
            let pieces = try [client.next(), client.next()]
            #expect(pieces.map(\.payload.count) == [50, 50])
            #expect(pieces.map(\.flags) == [0, Frame.endStream])
            #expect(pieces.flatMap(\.payload) == AnsweringServer.body)
        }
    }

    @Test func `a truncated answer ends with RST_STREAM`() async throws {
        try await AnsweringServer.run(["/cut": .truncated(afterBytes: 7)]) { server in
            let client = try HTTP2Client(url: server.url)
            try client.get("/cut")
            #expect(try client.next().type == Frame.headers)
            let data = try client.next()
            #expect(data.payload == Array("0123456".utf8))
            #expect(data.flags == 0)
            let reset = try client.next()
            #expect(reset.type == Frame.reset)
            #expect(reset.stream == 1)
            #expect(reset.number(at: 0) == 2)
            try client.open("/whole", stream: 3)
            try expectWhole(client, stream: 3)
        }
    }

    @Test
    func `an answer without a body ends with its headers, unless it is truncated`() async throws {
        let deliveries: [String: AnswerDelivery] = [
            "/empty/slow": .slow(bytesPerSecond: 1), "/empty/cut": .truncated(afterBytes: 7),
        ]
        try await AnsweringServer.run(deliveries) { server in
            let client = try HTTP2Client(url: server.url)
            try client.get("/empty/slow", "/empty/cut")
            let whole = try client.next()
            #expect([whole.type, whole.flags] == [Frame.headers, 4 | Frame.endStream])
            let cut = try client.next()
            #expect([cut.type, cut.flags] == [Frame.headers, 4])
            let reset = Frame(type: Frame.reset, flags: 0, stream: 3, payload: [0, 0, 0, 2])
            #expect(try client.next() == reset)
            try client.open("/whole", stream: 5)
            try expectWhole(client, stream: 5)
        }
    }

    @Test func `a stream is reset with the requested code`() async throws {
        try await AnsweringServer.run(["/refused": .resetStream(errorCode: 7)]) { server in
            let client = try HTTP2Client(url: server.url)
            try client.get("/refused", "/whole")
            #expect(
                try client.next()
                    == Frame(type: Frame.reset, flags: 0, stream: 1, payload: [0, 0, 0, 7])
            )
            try expectWhole(client, stream: 3)
        }
    }

    @Test func `a connection reset is a TCP reset`() async throws {
        try await AnsweringServer.run(["/reset": .resetConnection]) { server in
            let client = try HTTP2Client(url: server.url)
            try client.get("/reset")
            #expect(client.connection.receiveRest().problem == ECONNRESET)
        }
    }

    @Test func `GOAWAY with this stream answers this stream and earlier ones`() async throws {
        let deliveries: [String: AnswerDelivery] = [
            "/late": .delayed(milliseconds: 50),
            "/away": .goAway(errorCode: 11, lastStream: .thisStream),
        ]
        try await AnsweringServer.run(deliveries) { server in
            let client = try HTTP2Client(url: server.url)
            try client.get("/late", "/away", "/whole")
            let goAway = try client.next()
            #expect(goAway.type == Frame.goAway)
            #expect([goAway.number(at: 0), goAway.number(at: 4)] == [3, 11])
            try expectWhole(client, stream: 3)
            try expectWhole(client, stream: 1)
            #expect(client.connection.isAtEnd())
        }
    }

    @Test func `a slow reader receives a whole answer after GOAWAY`() async throws {
        let deliveries: [String: AnswerDelivery] = [
            "/away": .goAway(errorCode: 0, lastStream: .thisStream),
            "/late": .delayed(milliseconds: 1_500),
        ]
        try await AnsweringServer.run(deliveries) { server in
            // SETTINGS_INITIAL_WINDOW_SIZE of ten bytes (RFC 9113, section 6.5.2).
            let slow = try HTTP2Client(url: server.url, settings: [0, 4, 0, 0, 0, 10])
            try slow.get("/away")
            #expect(try slow.next().type == Frame.goAway)
            #expect(try slow.next().type == Frame.headers)
            let first = try slow.next()
            #expect(first.payload.count == 10)
            #expect(first.flags == 0)
            // This takes longer than the grace period of a client that has received everything.
            let other = try HTTP2Client(url: server.url)
            try other.get("/late")
            try expectWhole(other, stream: 1)
            try slow.send(type: Frame.windowUpdate, flags: 0, stream: 1, [0, 0, 0, 90])
            let rest = try slow.next()
            #expect(first.payload + rest.payload == AnsweringServer.body)
            #expect(rest.flags == Frame.endStream)
            #expect(slow.connection.isAtEnd())
        }
    }

    @Test func `GOAWAY with the previous stream does not answer this one`() async throws {
        let deliveries: [String: AnswerDelivery] = [
            "/away": .goAway(errorCode: 0, lastStream: .beforeThisStream)
        ]
        try await AnsweringServer.run(deliveries) { server in
            let client = try HTTP2Client(url: server.url)
            try client.get("/whole", "/away", "/whole")
            try expectWhole(client, stream: 1)
            let goAway = try client.next()
            #expect(goAway.type == Frame.goAway)
            #expect([goAway.number(at: 0), goAway.number(at: 4)] == [1, 0])
            #expect(client.connection.isAtEnd())
        }
    }

    @Test func `a client that repeatedly resets its streams is disconnected`() async throws {
        try await AnsweringServer.run(["/never": .never]) { server in
            let client = try HTTP2Client(url: server.url)
            do {
                for stream in stride(from: 1, to: 601, by: 2) {
                    try client.open("/never", stream: stream)
                    try client.send(type: Frame.reset, flags: 0, stream: stream, [0, 0, 0, 8])
                }
            } catch is LoopbackFailure {
                // The server may disconnect before the last stream.
            }
            let goAway = try client.next()
            #expect(goAway.type == Frame.goAway)
            // ENHANCE_YOUR_CALM (RFC 9113, section 7).
            #expect(goAway.number(at: 4) == 11)
        }
    }
}
