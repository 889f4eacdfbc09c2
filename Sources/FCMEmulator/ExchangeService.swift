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
    /// The header fields of the answer by their names in lower case.
    func fields(hasLength: Bool) -> [(String, String)] {
        var fields: [(String, String)] = []
        fields.reserveCapacity(4)
        fields.append(("content-type", contentType))
        if hasLength { fields.append(("content-length", String(bytes.count))) }
        if !allowedMethods.isEmpty {
            fields.append(("allow", allowedMethods.joined(separator: ", ")))
        }
        for field in headers { fields.append((field.name.lowercased(), field.value)) }
        return fields
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
