import EmulatorAPI
import Testing

@testable import EmulatorServer

/// Tests of GOAWAY if a later stream was answered first.
struct GoAwayTests {
    private typealias Frame = HTTP2WireFrame

    private func run(
        _ mark: GoAwayMark,
        _ test: (HTTP2Client) throws -> Void
    ) async throws {
        let away = AnswerDelivery.goAway(errorCode: 0, lastStream: mark)
        try await AnsweringServer.run(["/away": away]) { server in
            let client = try HTTP2Client(url: server.url)
            try client.open("/away", stream: 1, isWhole: false)
            try client.open("/whole", stream: 3)
            #expect(try client.next().stream == 3)
            #expect(try client.next().flags == Frame.endStream)
            // The client has not seen GOAWAY yet: this stream and its body are ignored.
            try client.open("/whole", stream: 5, isWhole: false)
            try client.send(type: Frame.data, flags: Frame.endStream, stream: 1, [])
            try client.send(type: Frame.data, flags: Frame.endStream, stream: 5, [0x7B])
            let goAway = try client.next()
            #expect(goAway.type == Frame.goAway)
            #expect([goAway.number(at: 0), goAway.number(at: 4)] == [3, 0])
            try test(client)
            #expect(client.connection.isAtEnd())
        }
    }

    @Test func `a stream before an answered one is refused individually`() async throws {
        try await run(.beforeThisStream) { client in
            // REFUSED_STREAM (RFC 9113, section 7).
            let refused = Frame(type: Frame.reset, flags: 0, stream: 1, payload: [0, 0, 0, 7])
            let frame = try client.next()
            #expect(frame == refused)
        }
    }

    @Test func `GOAWAY after a stream includes later streams that were answered`() async throws {
        try await run(.thisStream) { client in
            let answer = [try client.next(), try client.next()]
            #expect(answer.map(\.type) == [Frame.headers, Frame.data])
            #expect(answer.map(\.stream) == [1, 1])
        }
    }
}
