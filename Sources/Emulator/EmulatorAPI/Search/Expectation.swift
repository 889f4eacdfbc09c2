import DeliveryModel
import JSON

/// `GET /emulator/v1/wait` and `GET /emulator/v1/assert`: an expected number of matches.
struct Expectation: Sendable {
    enum Subject {
        case messages(MessageSearch)
        case requests(RequestSearch)
    }

    let subject: Subject
    /// The allowed numbers of matches.
    private let counts: ClosedRange<Int>
    /// The number as the request states it, such as `exactly 2`.
    private let wanted: String
    /// Milliseconds to wait for enough matches; 0 for an assertion.
    let patience: Int64

    static let names = Array(Set(MessageSearch.names + RequestSearch.names)).sorted()
    /// Default and maximum wait in seconds.
    private static let standardWait = "10s"
    private static let longestSeconds: Int64 = 60

    /// Reads a wait for at least `count` matches (default: 1).
    init(waitAt target: RequestTarget, in project: String) throws(GoogleError) {
        subject = try Self.subject(target, in: project)
        let count = try Page.number("count", of: target, from: 1) ?? 1
        counts = count...Int.max
        wanted = "at least \(count)"
        let span = DurationText(target.parameter("timeout") ?? Self.standardWait)
        guard let span, (0...Self.longestSeconds).contains(span.wholeSeconds) else {
            throw .control(
                "timeout",
                because: "It must be a duration from 0s to \(Self.longestSeconds)s."
            )
        }
        patience = span.wholeSeconds * 1_000
    }

    /// Reads an assertion: exactly `count`, or from `at_least` to `at_most`.
    init(assertAt target: RequestTarget, in project: String) throws(GoogleError) {
        subject = try Self.subject(target, in: project)
        patience = 0
        let least = try Page.number("at_least", of: target, from: 0)
        let most = try Page.number("at_most", of: target, from: 0)
        if let count = try Page.number("count", of: target, from: 0) {
            guard least == nil, most == nil else {
                throw .control("count", because: "Set either count, or at_least and at_most.")
            }
            counts = count...count
            wanted = "exactly \(count)"
            return
        }
        guard least != nil || most != nil else {
            throw .control("count", because: "Set count, at_least or at_most.")
        }
        guard (least ?? 0) <= (most ?? .max) else {
            throw .control("at_most", because: "It must not be below at_least.")
        }
        counts = (least ?? 0)...(most ?? .max)
        wanted = [least.map { "at least \($0)" }, most.map { "at most \($0)" }]
            .compactMap(\.self).joined(separator: " and ")
    }

    private static func subject(
        _ target: RequestTarget,
        in project: String
    ) throws(GoogleError) -> Subject {
        switch target.parameter("for") ?? "messages" {
        case "messages":
            try refuse(RequestSearch.names, unlessIn: MessageSearch.names, of: target)
            return .messages(try MessageSearch(target))
        case "requests":
            try refuse(MessageSearch.names, unlessIn: RequestSearch.names, of: target)
            return .requests(try RequestSearch(target, in: project))
        default: throw .control("for", because: "It must be messages or requests.")
        }
    }

    /// Refuses parameters that only the other kind of search has.
    private static func refuse(
        _ names: [String],
        unlessIn known: [String],
        of target: RequestTarget
    ) throws(GoogleError) {
        for name in names where !known.contains(name) && target.parameter(name) != nil {
            throw .control(name, because: "It does not apply to this kind of search.")
        }
    }

    func isMet(by count: Int) -> Bool { counts.contains(count) }

    /// The answer if the expectation is not met.
    func failure(found count: Int) -> EmulatorAnswer {
        let kind = if case .messages = subject { "messages" } else { "requests" }
        let error = GoogleError(
            code: 412,
            status: patience > 0 ? "DEADLINE_EXCEEDED" : "FAILED_PRECONDITION",
            message: "Expected \(wanted) matching \(kind), found \(count)"
                + (patience > 0 ? " after \(patience / 1_000)s." : ".")
        )
        var answer = error.answer
        var members = answer.body.objectValue ?? [:]
        members["matches"] = .integer(Int64(count))
        answer.body = .object(members)
        return answer
    }
}

/// How far a repeated query has read the log.
package struct LogProgress: Sendable {
    /// The number of the last line that was read.
    var last = 0
    /// Number of matching lines up to there.
    var count = 0
}

extension EmulatorCore {
    /// Answers a wait; if there are too few matches, the query is repeated.
    mutating func answer(
        to expectation: Expectation,
        isWait: Bool,
        for request: EmulatorRequest
    ) throws(GoogleError) -> RenderedAnswer {
        switch expectation.subject {
        case .messages(let search):
            let found = search.answer(in: &state)
            guard !expectation.isMet(by: found.total) else {
                return .met(by: found.total, isWait ? found.object : nil)
            }
            return .unmet(expectation, by: found.total, request: request)
        case .requests(let search):
            guard let lines = log.lines else { throw .logUnreadable }
            var answer = RenderedAnswer(status: 200, bytes: [])
            answer.completion = {
                expectation.answer(to: request, search: search, in: lines, isWait: isWait)
            }
            return answer
        }
    }
}

extension Expectation {
    fileprivate func answer(
        to request: EmulatorRequest,
        search: RequestSearch,
        in lines: RecordedLines,
        isWait: Bool
    ) -> RenderedAnswer {
        do throws(GoogleError) {
            var progress = request.progress
            progress.count += try search.count(in: lines, after: progress.last)
            progress.last = lines.last
            guard !isMet(by: progress.count) else {
                return .met(by: progress.count, isWait ? try search.answer(from: lines) : nil)
            }
            var next = request
            next.progress = progress
            return .unmet(self, by: progress.count, request: next)
        } catch {
            return error.answer.rendered
        }
    }
}

extension RenderedAnswer {
    fileprivate static func met(by count: Int, _ object: JSONObject?) -> RenderedAnswer {
        var members = object ?? [:]
        members["matches"] = .integer(Int64(count))
        return EmulatorAnswer.success(.object(members)).rendered
    }

    fileprivate static func unmet(
        _ expectation: Expectation,
        by count: Int,
        request: EmulatorRequest
    ) -> RenderedAnswer {
        var answer = expectation.failure(found: count).rendered
        if expectation.patience > 0 {
            answer.repetition = RepeatedQuery(
                request: request,
                milliseconds: expectation.patience
            )
        }
        return answer
    }
}
