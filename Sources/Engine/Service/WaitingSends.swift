import CampaignModel
import Planning
import State
import Time

/// The sends of a `ServiceMachine` that have not started.
///
/// An event costs the logarithm of their number for each send that it concerns. Only new sends, new
/// pauses and a clock that was set back concern all of them.
struct WaitingSends: Sendable {
    /// Sends that the same limits block.
    struct Lane: Hashable, Sendable {
        let isFanOut: Bool
        let isCapped: Bool

        init(of send: DueSend) {
            isFanOut = send.isFanOut
            isCapped = send.isCapped
        }
    }

    private struct Entry {
        let send: DueSend
        /// Heaps may have older numbers of the same occurrence, which are obsolete.
        let number: Int
    }

    /// A time at which an entry changes.
    private struct Look<Time: Comparable & Sendable>: Comparable, Sendable {
        let time: Time
        let occurrence: OccurrenceID
        let number: Int

        static func < (left: Look, right: Look) -> Bool { left.time < right.time }
    }

    /// The place of an entry in the order: by due time, then by priority, then by name.
    private struct Turn: Comparable, Sendable {
        let due: Instant
        let priority: Int
        let occurrence: OccurrenceID
        let number: Int

        static func < (left: Turn, right: Turn) -> Bool {
            if left.due != right.due { return left.due < right.due }
            if left.priority != right.priority { return left.priority > right.priority }
            return left.occurrence < right.occurrence
        }
    }

    /// The devices per second that a fan-out reaches.
    var fanOutRate: Int
    private var pauses: Set<PauseScope> = []
    /// The new due times of fan-outs that would have lasted into quiet hours.
    private var heldUntil: [OccurrenceID: Instant] = [:]
    /// Sends that are in no other place yet.
    private var unfiled: [DueSend] = []
    private var entries: [OccurrenceID: Entry] = [:]
    private var lastNumber = 0
    /// When entries become due, late or quiet, or expire.
    private var looks = MinHeap<Look<Instant>>()
    /// When joins have settled.
    private var settling = MinHeap<Look<Duration>>()
    /// What is due and not paused.
    private var lanes: [Lane: MinHeap<Turn>] = [:]

    init(fanOutRate: Int) {
        self.fanOutRate = fanOutRate
    }

    /// Replaces all sends.
    mutating func replace(with sends: [DueSend]) {
        removeAll()
        unfiled = sends.map { send in heldUntil[send.occurrence].map(send.moved) ?? send }
        let known = Set(sends.map(\.occurrence))
        heldUntil = heldUntil.filter { known.contains($0.key) }
    }

    mutating func removeAll() {
        unfiled = []
        entries = [:]
        looks = MinHeap()
        settling = MinHeap()
        lanes = [:]
    }

    mutating func pause(_ pauses: Set<PauseScope>) {
        guard pauses != self.pauses else { return }
        self.pauses = pauses
        fileAgain()
    }

    /// Decides about each send again, because the pauses changed or the clock was set back.
    mutating func fileAgain() {
        let all = (unfiled + entries.values.map(\.send)).sorted { $0.occurrence < $1.occurrence }
        removeAll()
        unfiled = all
    }

    private func isPaused(_ send: DueSend) -> Bool {
        guard !pauses.isEmpty else { return false }
        return pauses.contains(.everything)
            || pauses.contains(.campaign(send.occurrence.campaign))
    }
}

// MARK: - Filing

extension WaitingSends {
    /// Decides about new sends and those whose time has come; returns the sends that are too late.
    mutating func file(at now: ServiceMachine.Reading) -> [ServiceMachine.Command] {
        var changed = unfiled
        unfiled = []
        while let look = looks.first, look.time <= now.wall {
            _ = looks.removeFirst()
            if let send = remove(look.occurrence, look.number) { changed.append(send) }
        }
        while let look = settling.first, look.time <= now.steady {
            _ = settling.removeFirst()
            if let send = remove(look.occurrence, look.number) { changed.append(send) }
        }
        return changed.compactMap { file($0, at: now) }
    }

    private mutating func file(
        _ send: DueSend,
        at now: ServiceMachine.Reading
    ) -> ServiceMachine.Command? {
        var send = send
        switch fate(of: &send, at: now.wall) {
        case .skip: return .skip(send.occurrence)
        case .expire: return .expire(send.occurrence)
        case .wait(let moment): look(at: moment, for: add(send))
        case .send:
            let entry = add(send)
            if let change = send.nextChange(after: now.wall) { look(at: change, for: entry) }
            if !isPaused(send) { line(up: entry, at: now) }
        }
        return nil
    }

    private mutating func line(up entry: Entry, at now: ServiceMachine.Reading) {
        let send = entry.send
        if let settled = send.settled, settled > now.steady {
            settling.insert(
                Look(time: settled, occurrence: send.occurrence, number: entry.number)
            )
        } else {
            lanes[Lane(of: send), default: MinHeap()].insert(
                Turn(
                    due: send.movedDue(at: now.wall),
                    priority: send.priority,
                    occurrence: send.occurrence,
                    number: entry.number
                )
            )
        }
    }

    private mutating func add(_ send: DueSend) -> Entry {
        lastNumber += 1
        let entry = Entry(send: send, number: lastNumber)
        entries[send.occurrence] = entry
        return entry
    }

    private mutating func look(at time: Instant, for entry: Entry) {
        looks.insert(Look(time: time, occurrence: entry.send.occurrence, number: entry.number))
    }

    /// Returns nil if the number is obsolete.
    private mutating func remove(_ occurrence: OccurrenceID, _ number: Int) -> DueSend? {
        guard let entry = entry(occurrence, number) else { return nil }
        entries[occurrence] = nil
        return entry.send
    }

    /// Nil if the number is obsolete.
    private func entry(_ occurrence: OccurrenceID, _ number: Int) -> Entry? {
        entries[occurrence].flatMap { $0.number == number ? $0 : nil }
    }

    /// A fan-out that would last into quiet hours waits until they end, because an accepted send
    /// cannot be held.
    private mutating func fate(of send: inout DueSend, at now: Instant) -> DueSend.Fate {
        let fate = send.fate(at: now)
        guard fate == .send, case .fanOut(let reach?) = send.kind, let deferral = send.deferral
        else { return fate }
        let length = Int64(reach / max(1, fanOutRate)) + 1
        guard let due = QuietHold(deferral, length: length).end(at: now) else { return .send }
        heldUntil[send.occurrence] = due
        send = send.moved(to: due)
        return .wait(until: due)
    }
}

// MARK: - Starting

extension WaitingSends {
    /// The lanes with sends that may start.
    var openLanes: [Lane] { lanes.keys.filter { lanes[$0]?.first != nil } }

    /// The first send of a lane.
    func first(of lane: Lane) -> DueSend? {
        lanes[lane]?.first.flatMap { entry($0.occurrence, $0.number)?.send }
    }

    /// Removes and returns the first send of these lanes.
    mutating func takeFirst(of open: [Lane], at now: ServiceMachine.Reading) -> DueSend? {
        while let lane = open.min(by: { isBefore($0, $1) }),
            let turn = lanes[lane]?.removeFirst()
        {
            guard var send = remove(turn.occurrence, turn.number) else { continue }
            // A fan-out may have waited for its permit until it would last into quiet hours.
            guard case .wait(let moment) = fate(of: &send, at: now.wall) else { return send }
            look(at: moment, for: add(send))
        }
        return nil
    }

    /// Empty lanes are last.
    private func isBefore(_ left: Lane, _ right: Lane) -> Bool {
        guard let leftTurn = lanes[left]?.first else { return false }
        guard let rightTurn = lanes[right]?.first else { return true }
        return leftTurn < rightTurn
    }

    /// Removes obsolete entries from the beginnings of the heaps.
    mutating func tidy() {
        while let look = looks.first, entry(look.occurrence, look.number) == nil {
            _ = looks.removeFirst()
        }
        while let look = settling.first, entry(look.occurrence, look.number) == nil {
            _ = settling.removeFirst()
        }
        for lane in Array(lanes.keys) {
            while let turn = lanes[lane]?.first, entry(turn.occurrence, turn.number) == nil {
                _ = lanes[lane]?.removeFirst()
            }
        }
    }

    /// When a send changes next; nil if none does.
    var nextLook: Instant? { looks.first?.time }

    /// When the next joins have settled.
    var nextSettled: Duration? { settling.first?.time }

    /// Whether a send is due that is not paused.
    func hasReady(at now: Instant) -> Bool {
        if !settling.isEmpty || lanes.values.contains(where: { $0.first != nil }) { return true }
        let isReady = { (send: DueSend) in send.fate(at: now) == .send && !isPaused(send) }
        if unfiled.contains(where: isReady) { return true }
        guard let look = looks.first, look.time <= now else { return false }
        return entries.values.contains { isReady($0.send) }
    }
}

extension DueSend {
    /// When a send that could start now becomes late, expires or is held; nil if never.
    fileprivate func nextChange(after now: Instant) -> Instant? {
        let late = timeliness.map {
            movedDue(at: now).advanced(bySeconds: $0.policy.lateAfter + 1)
        }
        let times = [late, expires, deferral?.nextBeginning(after: now)]
        return times.compactMap(\.self).filter { $0 > now }.min()
    }
}
