package import Applying
import CampaignModel
import FCMClient
import JSON
import Memberships
package import Planning
package import RunControl
import Sending
import State
import Synchronization
package import Time

/// Writes the events of an apply for programs, one JSON object per line.
///
/// A class because concurrent requests share it.
package final class EventLines: Sendable {
    package static let formatVersion = "1.0"

    private struct State {
        var phase: PhaseProgress?
        var lastShown: ContinuousClock.Instant
    }

    private let state: Mutex<State>
    private let clock: WallClock
    private let now: @Sendable () -> ContinuousClock.Instant
    private let write: @Sendable (String) -> Void

    package init(
        clock: WallClock,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        write: @escaping @Sendable (String) -> Void
    ) {
        state = Mutex(State(lastShown: now()))
        self.clock = clock
        self.now = now
        self.write = write
    }

    /// Reports the plan before it is applied.
    package func show(_ plan: Plan) {
        let summary = PlanSummary(plan)
        line(
            .plan,
            members: [
                "digest": .string(plan.digest.description),
                "project": .string(plan.project.rawValue),
                "environment": .string(plan.environment.rawValue),
                "has_changes": .bool(plan.hasChanges), "joins": .integer(Int64(summary.joins)),
                "leaves": .integer(Int64(summary.leaves)),
                "sends": .integer(Int64(summary.sends)),
                "requests": .integer(Int64(summary.requests)),
            ]
        )
    }

    package func show(_ event: ApplyEvent) {
        state.withLock { take(event, in: &$0, at: now()) }
    }

    /// Writes the last line, even if nothing was done.
    package func end(_ report: ApplyReport?, exitCode: Int32, error: String?) {
        let memberships = report?.memberships ?? MembershipTally()
        line(
            .result,
            members: [
                "exit_code": .integer(Int64(exitCode)),
                "error": error.map(JSONValue.string) ?? .null,
                "joined": .integer(Int64(memberships.joined)),
                "left": .integer(Int64(memberships.left)),
                "refused": .integer(
                    Int64(memberships.refused.count + memberships.refusedLeaves.count)
                ),
                "counts": (report?.tally ?? OutcomeTally()).json,
                "not_begun": .integer(Int64(report?.notBegun ?? 0)),
                "too_late": .integer(Int64(report?.tooLate ?? 0)),
                "held": names(report?.held.map(\.occurrence)),
                "paused": names(report?.paused),
                "stopped": names(report?.stopped),
                "waiting": names(report?.waiting.map(\.occurrence)),
            ]
        )
    }

    private func names(_ occurrences: [OccurrenceID]?) -> JSONValue {
        .array((occurrences ?? []).map { .string($0.description) })
    }

    private func take(
        _ event: ApplyEvent,
        in state: inout State,
        at now: ContinuousClock.Instant
    ) {
        switch event {
        case .runBegan(let run): line(.runBegan, members: ["run": .integer(run.number)])
        case .sendings: break
        case .began(let phase, let total):
            let progress = PhaseProgress(phase, total: total, at: now)
            state = State(phase: progress, lastShown: now)
            line(.phaseBegan, members: phase.json.followed(by: ["total": .integer(Int64(total))]))
        case .progressed(let count, let kind):
            state.phase?.advance(by: count, kind: kind, at: now)
            guard let progress = state.phase, state.lastShown.duration(to: now) >= .seconds(1)
            else { return }
            state.lastShown = now
            line(.phaseProgressed, members: progress.json(at: now))
        case .ended:
            guard let progress = state.phase else { return }
            state.phase = nil
            line(.phaseEnded, members: progress.json(at: now))
        case .settles(let seconds):
            guard state.lastShown.duration(to: now) >= .seconds(1) else { return }
            state.lastShown = now
            line(.settling, members: ["seconds": .integer(seconds)])
        case .pausing(let reason, let length):
            line(
                .pausing,
                members: ["reason": .string(reason.rawValue), "seconds": length.jsonSeconds]
            )
        case .transportChosen(let transport, let reason):
            line(
                .note,
                members: [
                    "note": "transport-chosen", "transport": .string(transport.rawValue),
                    "because": .string(reason),
                ]
            )
        case .tokenRenewed: line(.note, members: ["note": "token-renewed"])
        case .request(let note): line(.request, members: note.json)
        case .sent(let report): line(.sending, members: report.json)
        }
    }

    private func line(_ name: EventName, members: JSONObject) {
        let head: JSONObject = [
            "format": .string(Self.formatVersion), "event": .string(name.rawValue),
            "at": .string(clock.now().utcText),
        ]
        write(JSONValue.object(head.followed(by: members)).compactText + "\n")
    }
}

/// The type of an event line.
enum EventName: String, CaseIterable {
    case plan
    case runBegan = "run-began"
    case phaseBegan = "phase-began"
    case phaseProgressed = "phase-progressed"
    case phaseEnded = "phase-ended"
    case settling
    case pausing
    case note
    case request
    case sending
    case result
}

// MARK: - Members

extension ApplyPhase {
    fileprivate var json: JSONObject {
        switch self {
        case .leaving(let scope): scope.json(in: "leaving")
        case .joining(let scope): scope.json(in: "joining")
        case .reading: ["phase": "reading"]
        case .sending(let occurrence):
            [
                "phase": "sending", "campaign": .string(occurrence.campaign.rawValue),
                "occurrence": .string(occurrence.description),
            ]
        }
    }
}

extension MembershipScope {
    fileprivate func json(in phase: JSONValue) -> JSONObject {
        ["phase": phase, "audience": .string(audience.rawValue), "topic": .string(topic.name)]
    }
}

extension PhaseProgress {
    fileprivate func json(at now: ContinuousClock.Instant) -> JSONObject {
        phase.json.followed(by: [
            "total": .integer(Int64(total)), "done": .integer(Int64(done)),
            "counts": [
                "done": .integer(Int64(counts[.done] ?? 0)),
                "refused": .integer(Int64(counts[.refused] ?? 0)),
                "unknown": .integer(Int64(counts[.unknown] ?? 0)),
            ],
            "per_second": rate(at: now).map { .integer(Int64($0)) } ?? .null,
            "seconds_left": secondsLeft(at: now).map { .integer(Int64($0)) } ?? .null,
        ])
    }
}

extension OutcomeTally {
    /// The counts with the same names as in the history.
    fileprivate var json: JSONValue {
        func count(_ outcomes: Outcome...) -> JSONValue {
            .integer(Int64(outcomes.reduce(0) { $0 + self[$1] }))
        }
        return [
            "accepted": count(.accepted), "rejected": count(.rejected),
            "unknown": count(.unknown), "expired": count(.expired),
            "suppressed": count(.suppressed), "cancelled": count(.cancelled),
            "not_sent": count(.intended, .returned),
        ]
    }
}

extension SendReport {
    fileprivate var json: JSONObject {
        [
            "occurrence": .string(occurrence.description),
            "campaign": .string(occurrence.campaign.rawValue),
            "counts": tally.json, "repeated": .integer(Int64(repeats)),
        ]
    }
}

extension RequestNote {
    fileprivate var json: JSONObject {
        var status: JSONValue = .null
        var failure: JSONValue = .null
        switch end {
        case .status(let number): status = .integer(Int64(number))
        case .failed(let reason): failure = .string(reason)
        }
        return [
            "method": .string(method), "url": .string(place), "status": status,
            "failure": failure, "seconds": duration.jsonSeconds,
        ]
    }
}

extension Duration {
    /// Seconds with millisecond precision.
    fileprivate var jsonSeconds: JSONValue {
        let milliseconds = Int64((self / .milliseconds(1)).rounded())
        return .number(Double(milliseconds) / 1_000)
    }
}
