import EmulatorAPI
import NIOCore
import NIOPosix

@testable import EmulatorServer

/// The emulator's ports with answers that a test selects by path; below `/empty` they have no body.
struct AnsweringServer {
    let url: String

    /// Digits, which show the position of a truncation.
    static let body = Array(String(repeating: "0123456789", count: 10).utf8)

    static func run(
        _ deliveries: [String: AnswerDelivery] = [:],
        sendsContentLength: Bool = true,
        maxConcurrentStreams: Int = 100,
        _ test: (AnsweringServer) throws -> Void
    ) async throws {
        let service = ExchangeService(
            respond: { request in
                let isEmpty = request.target.hasPrefix("/empty")
                var answer = RenderedAnswer(status: 200, bytes: isEmpty ? [] : body)
                answer.delivery = deliveries[request.target] ?? .whole
                return answer
            },
            maxConcurrentStreams: maxConcurrentStreams,
            sendsContentLength: sendsContentLength
        )
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let configuration = EmulatorConfiguration(directory: "/nowhere")
        let addresses = try await Listeners(
            configuration: configuration,
            service: service,
            group: group
        ).listen()
        let result = Result { try test(AnsweringServer(url: addresses.url)) }
        try await group.shutdownGracefully()
        try result.get()
    }
}
