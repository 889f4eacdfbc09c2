import EmulatorAPI
import NIOCore
import NIOPosix

/// Answers the requests of all connections, for every version of HTTP.
struct ExchangeService: Sendable {
    typealias Repetition =
        @Sendable (
            _ query: RepeatedQuery, _ early: RenderedAnswer, _ loop: any EventLoop
        ) -> EventLoopFuture<RenderedAnswer>

    /// Decides a request; its answer may be sent after a call of `settle`.
    let respond: @Sendable (EmulatorRequest) -> RenderedAnswer
    /// Records all decided requests and returns the answers that could not be recorded.
    var settle: @Sendable () -> UnrecordedAnswers? = { nil }
    /// Repeats a query until it has changes or its time is over.
    var repeating: Repetition = { _, early, loop in loop.makeSucceededFuture(early) }
    /// Maximum number of concurrent requests on one HTTP/2 connection.
    var maxConcurrentStreams = 100
    /// Whether answers have a content length.
    var sendsContentLength = true

    /// Answers a request after recording its effect.
    func answer(_ request: EmulatorRequest) -> RenderedAnswer {
        let answer = respond(request)
        return settle()?.replacing(answer) ?? answer
    }

    /// Delivers the answer on an event loop: now, at its time, or after another thread has computed
    /// it.
    func complete(
        _ answer: RenderedAnswer,
        on loop: any EventLoop,
        deliver: @escaping (RenderedAnswer) -> Void
    ) {
        if let query = answer.repetition {
            return repeating(query, answer, loop).assumeIsolated().whenSuccess(deliver)
        }
        guard let completion = answer.completion else { return deliver(answer) }
        let repeating = repeating
        let made = NIOSingletons.posixBlockingThreadPool.runIfActive(eventLoop: loop, completion)
        let final = made.flatMap { answer in
            guard let query = answer.repetition else { return loop.makeSucceededFuture(answer) }
            return repeating(query, answer, loop)
        }
        final.assumeIsolated().whenSuccess(deliver)
    }
}

extension RenderedAnswer {
    /// Passes the answer's header fields, with lower-case names, to `body`.
    func forEachField(hasLength: Bool, body: (_ name: String, _ value: String) -> Void) {
        body("content-type", contentType)
        if hasLength { body("content-length", String(bytes.count)) }
        if !allowedMethods.isEmpty { body("allow", allowedMethods.joined(separator: ", ")) }
        for field in headers { body(field.name.lowercased(), field.value) }
    }
}

/// The pace of an answer body that is sent slowly.
struct ThrottledBody {
    let bytes: Int
    let milliseconds: Int

    /// Splits the body into at most 20 pieces per second, each with at least one byte.
    init(bytesPerSecond: Int) {
        let rate = max(1, bytesPerSecond)
        let pieces = min(rate, 20)
        bytes = rate / pieces
        milliseconds = 1_000 / pieces
    }
}

extension String {
    /// The target of a request without scheme and authority, which only proxies need (RFC 9112,
    /// section 3.2.2).
    var originForm: String {
        guard !utf8.starts(with: "/".utf8), let scheme = firstRange(of: "://") else { return self }
        guard let slash = self[scheme.upperBound...].firstIndex(of: "/") else { return "/" }
        return String(self[slash...])
    }
}
