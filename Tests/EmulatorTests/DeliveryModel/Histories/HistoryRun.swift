@testable import DeliveryModel

/// Runs the machine and the reference model with the same history.
struct HistoryRun {
    private var machine: DeviceMachine
    private var reference: ReferenceDevice
    private let history: History
    private var now: Int64
    private var sent = 0
    private var reports: [DeliveryReport] = []
    /// The machine's last report of each message.
    private var told: [String: (MessageOutcome, MessageDelay, Int64)] = [:]
    private var opened = 0

    private static let start: Int64 = 1_800_000_000_000
    private static let salt: UInt64 = 77

    private init(_ history: History) {
        self.history = history
        now = Self.start
        machine = DeviceMachine(
            platform: history.platform,
            lastSeen: DeliveryMoment(milliseconds: Self.start),
            salt: Self.salt
        )
        reference = ReferenceDevice(
            platform: history.platform,
            options: history.options,
            salt: Self.salt,
            start: Self.start
        )
    }

    /// Returns the first difference between the two, or nil if there is none.
    static func disagreement(_ history: History) -> String? {
        var run = HistoryRun(history)
        for (number, step) in history.steps.enumerated() {
            run.perform(step)
            if let text = run.difference() { return "after step \(number + 1): \(text)" }
        }
        run.look(after: 3_000_000_000)
        run.take()
        return (run.difference() ?? run.finalDifference()).map { "at the end: \($0)" }
    }

    private var moment: DeliveryMoment { DeliveryMoment(milliseconds: now) }

    private mutating func perform(_ step: HistoryStep) {
        look(after: step.after)
        switch step.action {
        case .look: break
        case .arrive(let message, let count):
            for _ in 0..<count where reference.registered { arrive(message) }
        case .change(let change):
            let isFresh = change == .installed(true) && !reference.installed
            if isFresh { register() }
            reference.change(change, at: now)
            machine.change(
                change.change(at: now),
                at: moment,
                under: history.options,
                reportingTo: &reports
            )
        case .register: if reference.installed { register() }
        case .tap(let place): tap(place)
        }
        take()
    }

    /// Advances the time; only the reference model is advanced in half of the steps, which must not
    /// affect the result.
    private mutating func look(after span: Int64) {
        now += span
        reference.go(to: now)
        if sent % 2 == 0 {
            machine.advance(to: moment, under: history.options, reportingTo: &reports)
        }
    }

    private mutating func register() {
        machine.advance(to: moment, under: history.options, reportingTo: &reports)
        machine.register(at: moment)
        reference.register()
    }

    private mutating func arrive(_ message: HistoryMessage) {
        sent += 1
        reference.arrive(message, id: "\(sent)", at: now)
        machine.arrive(
            ArrivingMessage(
                id: MessageID("\(sent)"),
                shared: SharedContent(message.content(on: history.platform)),
                on: history.platform,
                package: "org.tidewatch",
                isToTopic: message.isPing,
                isForPlatform: !message.isForOthers
            ),
            at: moment,
            under: history.options,
            reportingTo: &reports
        )
    }

    private mutating func tap(_ place: Int) {
        let tray = reference.tray
        let id = place < tray.count ? tray[tray.count - 1 - place].id : "nobody's"
        let isOpened = reference.tap(id, at: now)
        if isOpened { opened += 1 }
        let message = machine.tap(
            MessageID(id),
            at: moment,
            under: history.options,
            reportingTo: &reports
        )
        if (message != nil) != isOpened { opened += 1_000 }
    }

    private mutating func take() {
        machine.advance(to: moment, under: history.options, reportingTo: &reports)
        for report in reports {
            if case .message(let id, let outcome, let delay, let at) = report {
                told[id.text] = (outcome, delay, at.milliseconds)
            }
            if case .opened = report { opened -= 1 }
        }
        reports = []
    }

    private func difference() -> String? {
        let waiting = machine.waiting(at: moment, under: history.options)
        let expected = reference.waiting
        let found = waiting.map { "\($0.id.text) \($0.reason)" }
        let wanted = expected.map { "\($0.id) \(reference.reason($0) ?? $0.delay)" }
        if found != wanted { return "waiting \(found), not \(wanted)" }
        let inbox = machine.traffic.value
        let tray = inbox.tray.map { inbox.received[$0 - inbox.forgotten - 1].id.text }
        if tray != reference.tray.map(\.id) { return "tray \(tray), not \(reference.tray)" }
        if inbox.notices != reference.told { return "notices \(inbox.notices)" }
        if machine.isRegistered != reference.registered { return "\(machine.isRegistered)" }
        if opened != 0 { return "opened \(opened)" }
        return conditionsDifference()
    }

    private func conditionsDifference() -> String? {
        let found = machine.conditions
        let same =
            found.isOnline == reference.online && found.isInForeground == reference.front
            && found.isInstalled == reference.installed && found.isDozing == reference.doze
            && found.isForceStopped == reference.stopped
            && found.isUserStopped == reference.userStopped
        return same ? nil : "conditions \(found)"
    }

    private func finalDifference() -> String? {
        for entry in reference.entries {
            guard let (outcome, delay, at) = told[entry.id] else { return "no \(entry.id)" }
            if outcome != entry.outcome || at != entry.outcomeAt {
                return "\(entry.id) \(outcome) at \(at), not \(entry.outcome) at "
                    + "\(entry.outcomeAt)"
            }
            if outcome == .delivered, delay != entry.delay { return "\(entry.id) \(delay)" }
        }
        for outcome in MessageOutcome.allCases where outcome != .pending {
            let count = reference.entries.count { $0.outcome == outcome }
            if machine.counts[outcome] != count { return "\(outcome) \(machine.counts)" }
        }
        return nil
    }
}

extension History {
    /// Returns a reduced history that still has a difference.
    func shrunk() -> History {
        var best = self
        var size = max(1, steps.count / 2)
        while true {
            var isSmaller = false
            var start = 0
            while start < best.steps.count {
                var candidate = best
                candidate.steps.removeSubrange(start..<min(start + size, best.steps.count))
                if HistoryRun.disagreement(candidate) != nil {
                    best = candidate
                    isSmaller = true
                } else {
                    start += size
                }
            }
            if size == 1, !isSmaller { break }
            size = max(1, size / 2)
        }
        for place in best.steps.indices { best.shrink(at: place) }
        return best
    }

    private mutating func shrink(at place: Int) {
        take(HistoryStep(after: 0, action: steps[place].action), at: place)
        guard case .arrive(let message, let count) = steps[place].action else { return }
        for fewer in [1, 21, 101, 241] where fewer < count {
            let step = HistoryStep(after: steps[place].after, action: .arrive(message, fewer))
            if take(step, at: place) { break }
        }
        for simpler in [\HistoryMessage.trayTag, \.collapseKey] {
            simplify(at: place) { $0[keyPath: simpler] = nil }
        }
        simplify(at: place) { $0.seconds = nil }
        for simpler in [\HistoryMessage.urgent, \.shows] {
            simplify(at: place) { $0[keyPath: simpler] = false }
        }
    }

    private mutating func simplify(at place: Int, _ change: (inout HistoryMessage) -> Void) {
        guard case .arrive(var message, let count) = steps[place].action else { return }
        change(&message)
        take(HistoryStep(after: steps[place].after, action: .arrive(message, count)), at: place)
    }

    /// Replaces a step if the difference remains.
    @discardableResult
    private mutating func take(_ step: HistoryStep, at place: Int) -> Bool {
        var candidate = self
        candidate.steps[place] = step
        guard HistoryRun.disagreement(candidate) != nil else { return false }
        self = candidate
        return true
    }
}
