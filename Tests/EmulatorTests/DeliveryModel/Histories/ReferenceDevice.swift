import DeliveryModel

/// A reference implementation of a device, as simple as possible and designed differently from the
/// machine.
///
/// All messages stay in one list, and every rule searches the whole list.
struct ReferenceDevice {
    struct Entry {
        let id: String
        let kind: HistoryMessage
        let key: String?
        let arrived: Int64
        var end: Int64
        var urgent: Bool
        var lowered: Bool
        var rateUntil: Int64 = 0
        var backgroundUntil: Int64 = 0
        var outcome: MessageOutcome
        var outcomeAt: Int64
        var delay = MessageDelay.deliveredNoDelay
    }

    let platform: DevicePlatform
    let options: DeliveryOptions
    let salt: UInt64
    var entries: [Entry] = []
    var online = true
    var front = false
    var installed = true
    var doze = false
    var stopped = false
    var userStopped = false
    var registered = true
    var seen: Int64
    var now: Int64
    var minute = ReferenceWindow(size: 240, interval: 60_000)
    var hour = ReferenceWindow(size: 5_000, interval: 3_600_000)
    var burst = ReferenceBucket(size: 20, interval: 3_600_000)
    var tray: [(id: String, tag: String?)] = []
    var missed: Int64?
    var owed = false
    var told = 0
    var appleTellsAt: Int64?

    private let day: Int64 = 86_400_000
    private var isAndroid: Bool { platform == .android }

    init(platform: DevicePlatform, options: DeliveryOptions, salt: UInt64, start: Int64) {
        self.platform = platform
        self.options = options
        self.salt = salt
        seen = start
        now = start
    }

    var waiting: [Entry] { entries.filter { $0.outcome == .pending } }

    // MARK: time

    mutating func go(to target: Int64) {
        while let next = nextMoment(), next <= target {
            now = max(now, next)
            loseExpiredRegistration()
            work()
        }
        now = target
    }

    /// Returns the earliest time at which something changes without any action.
    private func nextMoment() -> Int64? {
        var moments = waiting.map(\.end)
        for entry in waiting where obstacle(entry) != nil {
            if let free = freeMoment(entry) { moments.append(free) }
        }
        if let end = registrationEnd { moments.append(end) }
        if let appleTellsAt, registered { moments.append(appleTellsAt) }
        return moments.min()
    }

    private var registrationEnd: Int64? {
        isAndroid && registered && !online ? seen + 270 * day : nil
    }

    private mutating func loseExpiredRegistration() {
        let isExpired = registrationEnd.map { $0 <= now } ?? false
        let isTold = appleTellsAt.map { $0 <= now } ?? false
        guard isExpired || isTold else { return }
        appleTellsAt = nil
        registered = false
        for index in entries.indices where entries[index].outcome == .pending {
            end(index, .droppedUnregistered)
        }
    }

    private func freeMoment(_ entry: Entry) -> Int64? {
        guard online, !userStopped, !doze || entry.urgent else { return nil }
        switch obstacle(entry) {
        case .delayedMessageThrottled?:
            return max(entry.rateUntil, isThrottled(entry) ? now + waitForBurst() : now)
        case .delayedInBackground?: return entry.backgroundUntil
        default: return nil
        }
    }

    // MARK: rates

    private func waitForBurst() -> Int64 { burst.wait(at: now) }

    private func isThrottled(_ entry: Entry) -> Bool {
        isAndroid && options.throttlesDevices && entry.key != nil && entry.kind.seconds != 0
    }

    // MARK: messages

    private func obstacle(_ entry: Entry) -> MessageDelay? {
        if !online { return .delayedDeviceOffline }
        if userStopped { return .delayedUserStopped }
        if doze && !entry.urgent { return .delayedDeviceDoze }
        if entry.rateUntil > now { return .delayedMessageThrottled }
        if isThrottled(entry) && waitForBurst() > 0 { return .delayedMessageThrottled }
        return entry.backgroundUntil > now && !front ? .delayedInBackground : nil
    }

    func reason(_ entry: Entry) -> MessageDelay? { obstacle(entry) }

    mutating func arrive(_ kind: HistoryMessage, id: String, at moment: Int64) {
        go(to: moment)
        let isUrgent = kind.urgent && isAndroid
        let isLowered = isUrgent && isLowered(kind)
        var entry = Entry(
            id: id,
            kind: kind,
            key: kind.key(on: platform),
            arrived: now,
            end: now + kind.life(on: platform) * 1_000,
            urgent: kind.urgent && !isLowered,
            lowered: isLowered,
            outcome: .pending,
            outcomeAt: now
        )
        if kind.isForOthers {
            entry.outcome = .nothingForPlatform
            return entries.append(entry)
        }
        if isAndroid && !online && now - seen > 30 * day {
            if !kind.shows { missed = now }
            entry.outcome = .droppedDeviceInactive
            return entries.append(entry)
        }
        if isAndroid && options.throttlesDevices {
            entry.rateUntil = max(minute.room(at: now), hour.room(at: now))
            minute.passed.append(entry.rateUntil)
            hour.passed.append(entry.rateUntil)
        }
        if isAndroid, options.backgroundDelay > 0, !entry.urgent, kind.seconds != 0 {
            entry.backgroundUntil = now + history(drawOf: id, options, salt: salt)
        }
        entries.append(entry)
        let place = entries.count - 1
        guard let obstacle = obstacle(entry) else { return deliver(place) }
        guard kind.seconds != 0, entry.end > now else { return end(place, .droppedTtlExpired) }
        entries[place].delay = obstacle
        discard(beside: place)
        tell()
    }

    private func isLowered(_ kind: HistoryMessage) -> Bool {
        guard options.lowersPriority, !kind.shows else { return false }
        let recent = entries.filter {
            $0.outcome == .delivered && $0.kind.urgent && $0.outcomeAt > now - 7 * day
        }
        return recent.count { !$0.kind.shows } > recent.count { $0.kind.shows }
    }

    /// Makes room for a message that starts to wait.
    private mutating func discard(beside place: Int) {
        if let key = entries[place].key {
            for index in entries.indices where index != place {
                if entries[index].outcome == .pending, entries[index].key == key {
                    end(index, .collapsed)
                }
            }
        }
        guard isAndroid else { return }
        let keyed = entries.indices.filter {
            entries[$0].outcome == .pending && entries[$0].key != nil
        }
        if keyed.count > 4 { end(keyed[0], .collapsed) }
        guard waiting.count(where: { $0.key == nil }) > 100 else { return }
        for index in entries.indices where entries[index].outcome == .pending {
            end(index, .droppedTooManyPendingMessages)
        }
        owed = true
    }

    private mutating func deliver(_ place: Int) {
        let entry = entries[place]
        if isThrottled(entry) { burst.take(at: now) }
        guard installed else {
            end(place, .droppedUninstalled)
            return notice()
        }
        guard !stopped else { return end(place, .droppedAppForceStopped) }
        end(place, .delivered)
        guard entry.kind.shows, !front else { return }
        let tag = entry.kind.tag(on: platform)
        if let tag { tray.removeAll { $0.tag == tag } }
        tray.append((entry.id, tag))
        if tray.count > 50 { tray.removeFirst() }
    }

    private mutating func notice() {
        guard registered else { return }
        guard platform != .apple else {
            if appleTellsAt == nil { appleTellsAt = now + day }
            return
        }
        registered = false
        for index in entries.indices where entries[index].outcome == .pending {
            end(index, .droppedUninstalled)
        }
    }

    private mutating func end(_ place: Int, _ outcome: MessageOutcome) {
        entries[place].outcome = outcome
        entries[place].outcomeAt = now
    }

    private mutating func work() {
        for index in entries.indices where entries[index].outcome == .pending {
            if entries[index].end <= now { end(index, .droppedTtlExpired) }
        }
        tell()
        for index in entries.indices {
            if entries[index].outcome == .pending, obstacle(entries[index]) == nil {
                deliver(index)
            }
        }
    }

    private mutating func tell() {
        guard owed, online, !userStopped, !doze else { return }
        owed = false
        if installed && !stopped { told += 1 }
    }

    // MARK: changes to the device

    mutating func change(_ change: HistoryChange, at moment: Int64) {
        go(to: moment)
        let wasOnline = online
        let wasInstalled = installed
        switch change {
        case .online(let value): online = value
        case .front(let value): front = value && installed
        case .installed(let value): installed = value
        case .doze(let value): doze = value && isAndroid
        case .stopped(let value): stopped = value && isAndroid
        case .userStopped(let value): userStopped = value && isAndroid
        case .seen(let ago): if !online { seen = now - ago }
        }
        switch change {
        case .front(true) where installed: (doze, stopped, userStopped) = (false, false, false)
        case .doze(true), .stopped(true), .userStopped(true): front = isAndroid ? false : front
        default: break
        }
        if !installed { (front, stopped) = (false, false) }
        if !installed && wasInstalled || stopped { tray = [] }
        if wasOnline && !online { seen = now }
        if !wasOnline && online, let moment = missed {
            missed = nil
            if now - moment <= 28 * day { owed = true }
        }
        if installed && !wasInstalled {
            appleTellsAt = nil
        }
        loseExpiredRegistration()
        work()
    }

    /// Registers the app, which counts as contact with the device.
    mutating func register() {
        registered = true
        seen = now
        appleTellsAt = nil
    }

    mutating func tap(_ id: String, at moment: Int64) -> Bool {
        go(to: moment)
        guard let place = tray.lastIndex(where: { $0.id == id }) else { return false }
        tray.remove(at: place)
        change(.front(true), at: moment)
        return true
    }
}

/// A limit of `size` messages in every interval.
struct ReferenceWindow {
    let size: Int
    let interval: Int64
    var passed: [Int64] = []

    init(size: Int, interval: Int64) {
        self.size = size
        self.interval = interval
    }

    /// Tries the times at which a message leaves the interval.
    func room(at now: Int64) -> Int64 {
        let recent = passed.filter { $0 > now - interval }
        let times = [now] + recent.map { $0 + interval }.sorted()
        return times.first { time in recent.count { $0 > time - interval } < size } ?? now
    }
}

/// A bucket for `size` messages, which refills within `interval` milliseconds.
struct ReferenceBucket {
    let size: Int64
    let interval: Int64
    /// The content in units, of which a message takes `interval` and a millisecond adds `size`.
    private var content: Int64
    private var last: Int64 = 0

    init(size: Int64, interval: Int64) {
        self.size = size
        self.interval = interval
        content = size * interval
    }

    private func filled(at now: Int64) -> Int64 {
        min(size * interval, content + min(now - last, 86_400_000) * size)
    }

    func wait(at now: Int64) -> Int64 {
        let lack = interval - filled(at: now)
        return lack <= 0 ? 0 : (lack + size - 1) / size
    }

    mutating func take(at now: Int64) {
        content = filled(at: now) - interval
        last = now
    }
}
