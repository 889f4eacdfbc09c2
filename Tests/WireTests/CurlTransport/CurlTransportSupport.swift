import CurlTransport
import HTTPTransport
import Testing

/// An answer without a body, on a connection that stays open.
let emptyRawAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

/// Runs the body against a server, and stops both afterwards.
func withRawServer(
    maximumConnections: Int = 4,
    readsBodies: Bool = true,
    _ react: @escaping @Sendable (RawServer.Received) -> RawServer.Reaction,
    _ body: (CurlTransport, RawServer) async throws -> Void
) async throws {
    let server = try RawServer(readsBodies: readsBodies, react)
    var configuration = CurlTransport.Configuration(
        maximumConnections: maximumConnections,
        userAgent: "test/1"
    )
    // On a busy machine a test may pause for more than a second between two requests.
    configuration.olderIdleTimeLimit = .seconds(600)
    let transport = CurlTransport(configuration: configuration)
    do {
        try await body(transport, server)
    } catch {
        Issue.record(error)
    }
    await transport.shutdown()
    server.stop()
}

extension CurlTransport {
    /// Returns why the request failed; nil if it succeeded, which every test rejects.
    func failure(_ request: HTTPRequest) async -> TransportError? {
        do throws(TransportError) {
            _ = try await send(request)
            return nil
        } catch {
            return error
        }
    }

    func get(_ url: String) async throws -> HTTPAnswer {
        try await send(HTTPRequest(method: .get, url: url))
    }
}
