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
    /// The number as the request states it, such as `exactly 2 messages`, with the conditions.
    let wording: String
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
        wording = "at least \(subject.counting(count))" + Self.conditions(target)
        let span = DurationText(target.parameter("timeout") ?? Self.standardWait)
        guard let span, (0...Self.longestSeconds).contains(span.wholeSeconds) else {
            throw .control(
                "timeout",
                because: "It must be a duration from 0s to \(Self.longestSeconds)s, such as 10s."
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
            wording = "exactly \(subject.counting(count))" + Self.conditions(target)
            return
        }
        guard least != nil || most != nil else {
            throw .control("count", because: "Set count, at_least or at_most.")
        }
        guard (least ?? 0) <= (most ?? .max) else {
            throw .control("at_most", because: "It must not be below at_least.")
        }
        counts = (least ?? 0)...(most ?? .max)
        wording = subject.counting(from: least, to: most) + Self.conditions(target)
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
            let kind = RequestSearch.names.contains(name) ? "requests" : "messages"
            throw .control(name, because: "It applies to \(kind) only: add for=\(kind).")
        }
    }

    func isMet(by count: Int) -> Bool { counts.contains(count) }

    /// The allowed numbers of matches, as members of an answer.
    var expected: JSONObject {
        var members = JSONObject()
        if counts.lowerBound > 0 || counts.upperBound == .max {
            members["at_least"] = .integer(Int64(counts.lowerBound))
        }
        if counts.upperBound != .max {
            members["at_most"] = .integer(Int64(counts.upperBound))
        }
        return members
    }

    /// The conditions as text, such as ` with title="High water"`.
    ///
    /// A registration appears as its fingerprint, because failures of tests are published.
    private static func conditions(_ target: RequestTarget) -> String {
        let texts = names.compactMap { name in
            target.parameter(name).map { value in
                if name == "registration" { return "fingerprint=\(Fingerprint(of: value).text)" }
                let isPlain = Int(value) != nil || value == "true" || value == "false"
                return "\(name)=" + (isPlain ? value : JSONValue.string(value).compactText)
            }
        }
        return texts.isEmpty ? "" : " with " + texts.joined(separator: ", ")
    }
}

extension Expectation.Subject {
    /// For example, `1 message` or `2 requests`.
    fileprivate func counting(_ count: Int) -> String {
        let kind = if case .messages = self { "message" } else { "request" }
        return count == 1 ? "1 \(kind)" : "\(count) \(kind)s"
    }

    /// For example, `at least 2 and at most 3 messages`.
    fileprivate func counting(from least: Int?, to most: Int?) -> String {
        guard let most else { return "at least \(counting(least ?? 0))" }
        return (least.map { "at least \($0) and " } ?? "") + "at most \(counting(most))"
    }
}

/// How far a repeated query has read the log.
package struct LogProgress: Sendable {
    /// The number of the last line that was read.
    var last = 0
    /// Number of matching lines up to there.
    var count = 0
    /// Whether the query is not repeated again, so that a failure describes what the project has.
    var isFinal = false
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
            let failure = UnmetExpectation(
                expectation,
                matches: found.total,
                found: found.object
            )
            guard expectation.isFinal(request) else { return .repeated(failure, for: request) }
            return try explained(failure, device: search.device)
        case .requests(let search):
            guard let lines = log.lines else { throw .logUnreadable }
            var answer = RenderedAnswer(status: 200, bytes: [])
            answer.completion = {
                expectation.answer(to: request, search: search, in: lines, isWait: isWait)
            }
            return answer
        }
    }

    /// Adds the newest messages of the project, or its requests if it has no messages.
    private mutating func explained(
        _ failure: UnmetExpectation,
        device: String?
    ) throws(GoogleError) -> RenderedAnswer {
        var failure = failure
        if let device, state.model.device(named: device) == nil {
            failure.addUnknown(device: device)
        }
        let all = state.model.search(
            MessageQuery(),
            part: 0..<UnmetExpectation.shownItems,
            at: state.latest
        )
        guard all.total == 0 else {
            failure.add(messages: all.messages.map(\.json), of: all.total)
            return failure.rendered
        }
        guard let lines = log.lines else { throw .logUnreadable }
        let search = try RequestSearch(newestIn: projects.currentID)
        var answer = failure.rendered
        answer.completion = { [failure] in failure.explained(by: search, in: lines) }
        return answer
    }
}

extension UnmetExpectation {
    /// Adds the newest requests.
    fileprivate func explained(
        by search: RequestSearch,
        in lines: RecordedLines
    ) -> RenderedAnswer {
        do throws(GoogleError) {
            var failure = self
            failure.add(requests: try search.newest(in: lines).requests)
            return failure.rendered
        } catch {
            return error.answer.rendered
        }
    }
}

extension Expectation {
    fileprivate func isFinal(_ request: EmulatorRequest) -> Bool {
        patience == 0 || request.progress.isFinal
    }

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
            guard isFinal(request) else {
                var next = request
                next.progress = progress
                return .repeated(UnmetExpectation(self, matches: progress.count), for: next)
            }
            let failure = UnmetExpectation(
                self,
                matches: progress.count,
                found: try search.answer(from: lines)
            )
            let all = try RequestSearch(newestIn: search.project, control: search.includesControl)
            return failure.explained(by: all, in: lines)
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

    /// The answer of a wait, unless it is met before its time is over.
    fileprivate static func repeated(
        _ failure: UnmetExpectation,
        for request: EmulatorRequest
    ) -> RenderedAnswer {
        var answer = failure.rendered
        var last = request
        last.progress.isFinal = true
        answer.repetition = RepeatedQuery(
            request: request,
            milliseconds: failure.expectation.patience,
            last: last
        )
        return answer
    }
}
