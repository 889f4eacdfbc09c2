import NIOCore
import NIOPosix

/// What answers the requests of every connection, whatever version of HTTP it speaks.
struct ExchangeService: Sendable {
    /// Decides on a request; its answer may go out once `settle` was called.
    let respond: @Sendable (EmulatorRequest) -> RenderedAnswer
    /// Puts on record what was decided on, and names the answers that could not be.
    var settle: @Sendable () -> LostAnswers? = { nil }
    /// How many requests a client may have open on one HTTP/2 connection.
    var maxConcurrentStreams = 100
    /// Whether answers say how long they are.
    var sendsContentLength = true

    /// Answers a request; its effect is on record.
    func answer(_ request: EmulatorRequest) -> RenderedAnswer {
        let answer = respond(request)
        return settle()?.replacing(answer) ?? answer
    }
}

extension EventLoop {
    /// Hands on the answer on this loop: at once, when its time has come, or when a thread of its
    /// own has made it.
    func complete(
        _ answer: RenderedAnswer,
        _ deliver: @escaping (RenderedAnswer) -> Void
    ) {
        if let later = answer.later {
            return later(self).assumeIsolated().whenSuccess(deliver)
        }
        guard let completion = answer.completion else { return deliver(answer) }
        let made = NIOSingletons.posixBlockingThreadPool.runIfActive(eventLoop: self, completion)
        made.assumeIsolated().whenSuccess(deliver)
    }
}

/// Answers whose requests could not be recorded, and did not happen therefore.
struct LostAnswers: Sendable {
    let tickets: Range<Int>
    let answer: RenderedAnswer

    /// The answer, or what its client has to be told in its place.
    func replacing(_ other: RenderedAnswer) -> RenderedAnswer {
        tickets.contains(other.ticket) ? answer : other
    }
}

extension RenderedAnswer {
    /// Hands on the header fields of the answer by their names in lower case.
    func forEachField(hasLength: Bool, _ body: (_ name: String, _ value: String) -> Void) {
        body("content-type", contentType)
        if hasLength { body("content-length", String(bytes.count)) }
        if !allowedMethods.isEmpty { body("allow", allowedMethods.joined(separator: ", ")) }
        for field in headers { body(field.name.lowercased(), field.value) }
    }
}

/// The body of an answer that is written bit by bit.
struct SlowPace {
    let bytes: Int
    let milliseconds: Int

    /// At most 20 pieces a second, and at least a byte in each.
    init(bytesPerSecond: Int) {
        let rate = max(1, bytesPerSecond)
        let pieces = min(rate, 20)
        bytes = rate / pieces
        milliseconds = 1_000 / pieces
    }
}

extension String {
    /// A request's target without scheme and authority, which only proxies need (RFC 9112,
    /// section 3.2.2).
    var originForm: String {
        guard !utf8.starts(with: "/".utf8), let scheme = firstRange(of: "://") else { return self }
        guard let slash = self[scheme.upperBound...].firstIndex(of: "/") else { return "/" }
        return String(self[slash...])
    }
}
