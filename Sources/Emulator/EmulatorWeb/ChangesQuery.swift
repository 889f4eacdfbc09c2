import DeliveryModel
import EmulatorAPI
import JSON

/// `GET /emulator/v1/changes`: the changes since an earlier answer.
struct ChangesQuestion {
    /// The position of an earlier answer, or nil to request everything.
    let cursor: ChangesCursor?
    /// Milliseconds to wait for changes.
    let patience: Int64

    /// Maximum wait of a query, in seconds.
    private static let longestSeconds: Int64 = 30

    init(_ target: RequestTarget) throws(GoogleError) {
        cursor = target.parameter("after").flatMap { ChangesCursor($0) }
        guard let text = target.parameter("wait") else {
            patience = 0
            return
        }
        guard let span = DurationText(text), (0...Self.longestSeconds).contains(span.wholeSeconds)
        else {
            throw .control(
                "wait",
                because: "It must be a duration of at most \(Self.longestSeconds)s."
            )
        }
        patience = span.wholeSeconds * 1_000
    }
}

/// A position in the changes of one run of the emulator.
struct ChangesCursor: Hashable, Sendable {
    /// A different value invalidates all earlier answers: the emulator was restarted or devices
    /// were removed.
    let era: UInt64
    /// The revision of the devices.
    let revision: Int
    /// The number of the last request in the log.
    let sequence: Int

    init(era: UInt64, revision: Int, sequence: Int) {
        self.era = era
        self.revision = revision
        self.sequence = sequence
    }

    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let era = UInt64(parts[0], radix: 16), let revision = Int(parts[1]),
            let sequence = Int(parts[2])
        else { return nil }
        self.init(era: era, revision: revision, sequence: sequence)
    }

    var text: String { "\(era.hexadecimal)-\(revision)-\(sequence)" }
}

extension EmulatorState {
    /// Changes if the emulator is restarted or devices are removed.
    var deviceEra: UInt64 { era &+ UInt64(model.lastRemoval) }
}

extension PageQuery {
    static let changes = PageQuery(path: "/emulator/v1/changes") {
        request,
        core throws(GoogleError) in
        let question = try ChangesQuestion(RequestTarget(request.target))
        return core.answer(to: question, in: request)
    }
}

extension EmulatorCore {
    /// Answers with the changes; if there are none, the query is repeated.
    fileprivate borrowing func answer(
        to question: ChangesQuestion,
        in request: EmulatorRequest
    ) -> RenderedAnswer {
        let part = state.changes(
            after: question.cursor,
            in: log.recent(of: projects.currentID),
            upTo: log.lastSequence
        )
        var answer = EmulatorAnswer.success(.object(part.json)).rendered
        answer.headers.append(("Cache-Control", "no-store"))
        if !part.hasNews, question.patience > 0 {
            answer.repetition = RepeatedQuery(request: request, milliseconds: question.patience)
        }
        return answer
    }
}

/// One answer of the feed.
private struct ChangesPart {
    let cursor: ChangesCursor
    let isWhole: Bool
    let activity: [DeviceActivity]
    let requests: [RecentRequests.Element]
    let deviceCount: Int
    let requestCount: Int
    let clock: JSONValue
    /// Whether there are changes, including a change of the clock.
    let hasNews: Bool

    var json: JSONObject {
        [
            "cursor": .string(cursor.text), "whole": .bool(isWhole), "clock": clock,
            "device_count": .integer(Int64(deviceCount)),
            "request_count": .integer(Int64(requestCount)),
            "activity": .array(activity.map(\.json)),
            "requests": .array(requests.map(\.json)),
        ]
    }
}

extension EmulatorState {
    fileprivate func changes(
        after cursor: ChangesCursor?,
        in recent: RecentRequests,
        upTo lastSequence: Int
    ) -> ChangesPart {
        let era = deviceEra
        let known = cursor.flatMap { $0.era == era ? $0 : nil }
        let requests = recent.after(known?.sequence ?? 0)
        let changed = model.newestChanges(
            after: known?.revision ?? 0,
            limit: DeviceActivity.devicesAtOnce,
            at: latest
        )
        return ChangesPart(
            cursor: ChangesCursor(
                era: era,
                revision: model.revision,
                sequence: lastSequence
            ),
            isWhole: known == nil,
            activity: DeviceActivity.newest(of: changed),
            requests: requests,
            deviceCount: model.deviceCount,
            requestCount: recent.total,
            clock: clock.mode.json(at: latest),
            hasNews: known?.revision != model.revision || !requests.isEmpty
        )
    }
}
