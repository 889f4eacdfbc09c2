import DeliveryModel
import JSON

/// `GET /emulator/v1/changes`: what became different since an earlier answer.
struct ChangesQuestion {
    /// Where an earlier answer ended; nil where everything is asked for.
    let cursor: ChangesCursor?
    /// Milliseconds to wait until there is something to tell.
    let patience: Int64

    /// So long a question waits at most.
    private static let longestSeconds: Int64 = 30

    init(_ target: RequestTarget) throws(GoogleError) {
        cursor = target.parameter("after").flatMap { ChangesCursor($0) }
        guard let text = target.parameter("wait") else {
            patience = 0
            return
        }
        guard let span = DurationText(text), (0...Self.longestSeconds).contains(span.wholeSeconds)
        else {
            throw .control("wait", "It is no time such as 20s, at most \(Self.longestSeconds)s.")
        }
        patience = span.wholeSeconds * 1_000
    }
}

/// A place in what happens, of one run of the emulator.
struct ChangesCursor: Hashable, Sendable {
    /// Another one means that what was told before is void: the emulator was started anew, or
    /// devices were taken away.
    let era: UInt64
    /// Of the devices.
    let revision: Int
    /// Of the request log.
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

extension EmulatorCore {
    /// Answers with what is new, or with the wish to wait for it.
    mutating func answer(to question: ChangesQuestion) -> RenderedAnswer {
        let part = state.changes(after: question.cursor, log)
        var answer = EmulatorAnswer.success(.object(part.json)).rendered
        answer.headers.append(("Cache-Control", "no-store"))
        if !part.hasNews, question.patience > 0 { answer.patience = question.patience }
        return answer
    }
}

/// One answer of the feed.
private struct ChangesPart {
    let cursor: ChangesCursor
    let isWhole: Bool
    let hasMore: Bool
    let phones: [PhoneView]
    let requests: [RecentRequests.Element]
    let deviceCount: Int
    let clock: JSONValue
    /// Whether anything is new, or the clock was set.
    let hasNews: Bool

    var json: JSONObject {
        [
            "cursor": .string(cursor.text), "whole": .bool(isWhole), "more": .bool(hasMore),
            "clock": clock, "device_count": .integer(Int64(deviceCount)),
            "devices": .array(phones.map(\.json)), "requests": .array(requests.map(\.json)),
        ]
    }
}

extension EmulatorState {
    /// So many devices are told of at once.
    private static let devicesAtOnce = 200

    fileprivate func changes(
        after cursor: ChangesCursor?,
        _ log: borrowing RequestLog
    ) -> ChangesPart {
        let era = era &+ UInt64(model.lastRemoval)
        let known = cursor.flatMap { $0.era == era ? $0 : nil }
        let changed = model.devicesChanged(
            after: known?.revision ?? 0,
            limit: Self.devicesAtOnce,
            amongFirst: PhoneView.shownDevices,
            at: latest
        )
        let requests = log.recent.after(known?.sequence ?? 0)
        return ChangesPart(
            cursor: ChangesCursor(
                era: era,
                revision: changed.upTo,
                sequence: log.lastSequence
            ),
            isWhole: known == nil,
            hasMore: !changed.isAll,
            phones: changed.devices.map { PhoneView($0) },
            requests: requests,
            deviceCount: model.deviceCount,
            clock: clock.mode.json(at: latest),
            hasNews: known == nil || !changed.devices.isEmpty || !requests.isEmpty
        )
    }
}
