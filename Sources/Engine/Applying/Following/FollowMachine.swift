package import CampaignModel
package import RunControl
package import State
package import Time

/// Decides what to report about sends that a service makes, and when they have ended.
///
/// It has no clock and no state: its driver passes what the state contains.
package struct FollowMachine: Sendable {
    /// What the state contains about an occurrence at one time.
    package struct Look: Hashable, Sendable {
        package let record: OccurrenceRecord?
        /// What is paused; nil if nothing pauses the occurrence.
        package let pause: PauseScope?
        package let now: Instant

        package init(record: OccurrenceRecord?, pause: PauseScope?, now: Instant) {
            self.record = record
            self.pause = pause
            self.now = now
        }
    }

    package enum Standing: Hashable, Sendable {
        /// Due, and not started.
        case waiting
        case sending
        case finished
        case expired
        /// Another command removed it.
        case cancelled
        /// A person must check it.
        case held(Hold)
        /// It stopped at an unknown outcome.
        case stopped
        case paused(PauseScope)
        /// Quiet hours moved its due time.
        case deferred(until: Instant)
    }

    private struct Followed {
        var standing = Standing.waiting
        var unit: WorkUnitRecord?
        /// Whether the last two looks saw the same reason to wait.
        var isConfirmed = false
        /// The tally that was reported as progress.
        var shown = OutcomeTally()

        /// A reason to wait counts if it lasts, because the service records open requests first.
        var hasEnded: Bool {
            switch standing {
            case .waiting, .sending: false
            case .finished, .expired, .cancelled: true
            case .held, .stopped, .paused, .deferred: isConfirmed
            }
        }

        /// Whether another look at the same state decides.
        var isUnsettled: Bool {
            switch standing {
            case .waiting, .sending, .finished, .expired, .cancelled: false
            case .held, .stopped, .paused, .deferred: !isConfirmed
            }
        }
    }

    private var followed: [OccurrenceID: Followed]
    /// The send whose progress is shown.
    private var current: OccurrenceID?

    package init(of occurrences: [OccurrenceID]) {
        followed = Dictionary(
            occurrences.map { ($0, Followed()) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Whether every send has ended or waits for something other than the service.
    package var isDone: Bool { open.isEmpty }

    /// Whether another look is needed even if the state has not changed.
    package var isUnsettled: Bool { followed.values.contains(where: \.isUnsettled) }

    /// The occurrences to look at, by name.
    package var open: [OccurrenceID] {
        followed.filter { !$0.value.hasEnded }.keys.sorted()
    }

    package func standing(of id: OccurrenceID) -> Standing? { followed[id]?.standing }

    /// Returns the progress since the last look.
    package mutating func receive(_ looks: [OccurrenceID: Look]) -> [ApplyEvent] {
        for (id, look) in looks {
            guard var send = followed[id] else { continue }
            let standing = look.standing
            send.isConfirmed = standing == send.standing
            send.standing = standing
            send.unit = look.record?.unit ?? send.unit
            followed[id] = send
        }
        return progress()
    }

    /// The progress of one send at a time, as the progress line shows it.
    private mutating func progress() -> [ApplyEvent] {
        var events: [ApplyEvent] = []
        for id in followed.keys.sorted() where current == nil || current == id {
            guard let send = followed[id], let unit = send.unit else { continue }
            if current == nil {
                guard send.standing == .sending else { continue }
                current = id
                events.append(.began(.sending(id), total: unit.count))
            }
            events += advance(id, to: unit.tally)
            if send.standing != .sending {
                events.append(.ended(.sending(id)))
                current = nil
            }
        }
        return events
    }

    private mutating func advance(_ id: OccurrenceID, to tally: OutcomeTally) -> [ApplyEvent] {
        let shown = followed[id]?.shown ?? OutcomeTally()
        followed[id]?.shown = tally
        let kinds: [(outcome: Outcome, kind: ProgressKind)] = [
            (.accepted, .done), (.rejected, .refused), (.unknown, .unknown),
        ]
        return kinds.compactMap { outcome, kind in
            let count = tally[outcome] - shown[outcome]
            return count > 0 ? .progressed(by: count, kind, of: id) : nil
        }
    }
}

extension FollowMachine.Look {
    fileprivate var standing: FollowMachine.Standing {
        guard let record else { return .cancelled }
        switch record.status {
        case .finished: return .finished
        case .expired: return .expired
        case .cancelled: return .cancelled
        case .scheduled:
            if record.due > now { return .deferred(until: record.due) }
            return pause.map { .paused($0) } ?? .waiting
        case .dispatching:
            guard let unit = record.unit, unit.open == 0 else { return .sending }
            if let hold = record.hold { return .held(hold) }
            if let next = record.rollout?.since, next > now { return .deferred(until: next) }
            if unit.target.isOneRequest, unit.tally[.unknown] > 0 { return .stopped }
            return pause.map { .paused($0) } ?? .sending
        }
    }
}

extension UnitTarget {
    fileprivate var isOneRequest: Bool {
        if case .registrations = self { false } else { true }
    }
}
