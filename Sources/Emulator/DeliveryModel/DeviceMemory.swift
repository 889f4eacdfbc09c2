/// The model's record of a device.
struct DeviceMemory: Sendable {
    var specification: DeviceSpecification
    var registration: DeviceRegistration?
    var machine: DeviceMachine
    /// Sorted by topic number.
    var memberships: [Membership] = []
    /// The topics that the app joins whenever it receives a registration, each once.
    ///
    /// They are the seeded topics and the topics that the app subscribed to since then.
    var ownTopics: [TopicName]
    var history = LazyBox<DeviceHistory>()
    /// The messages to the app server.
    var outbox = LazyBox<UpstreamOutbox>()
    private(set) var isGap = false
    /// The model's revision at the device's last change.
    var revision = 0
    /// The latest time at which the model advances the machine again.
    var scheduled = DeliveryMoment.never

    struct Membership: Sendable {
        let topic: Int32
        let since: DeliveryMoment
    }

    /// The placeholder for a removed device.
    static let gap: DeviceMemory = {
        let nobody = DeviceSpecification(name: "", platform: .android, registration: nil)
        var memory = DeviceMemory(nobody, at: .never)
        memory.isGap = true
        return memory
    }()

    init(_ specification: DeviceSpecification, at now: DeliveryMoment) {
        self.specification = specification
        registration = specification.registration
        machine = DeviceMachine(
            platform: specification.platform,
            conditions: specification.conditions,
            isRegistered: specification.registration != nil,
            lastSeen: min(specification.lastSeen ?? now, now),
            salt: specification.name.stableHash
        )
        ownTopics = specification.topics.eachOnce
    }

    var name: String { specification.name }
    var packageName: String? { specification.packageName }
    var project: String? { specification.project }
    var platform: DevicePlatform { machine.platform }
    var isInstalled: Bool { machine.conditions.isInstalled }
    var isRegistered: Bool { machine.isRegistered }

    /// Returns the index of a topic's membership, or its insertion index.
    func place(of topic: Int32) -> (index: Int, isThere: Bool) {
        var low = 0
        var high = memberships.count
        while low < high {
            let middle = (low + high) / 2
            if memberships[middle].topic < topic { low = middle + 1 } else { high = middle }
        }
        return (low, low < memberships.count && memberships[low].topic == topic)
    }

    var obstacle: ClientObstacle? {
        if registration == nil { return .registration }
        return machine.conditions.isOnline ? nil : .network
    }
}

/// The events of a device and the unfinished calls of its app.
struct DeviceHistory: EmptyInitializable {
    private var events: [DeviceEvent] = []
    private var forgotten = 0
    private var waitingCalls: [WaitingCall] = []

    /// An unfinished call of the app and the number of its event.
    typealias WaitingCall = (event: Int, call: ClientCall, at: DeliveryMoment)

    /// Maximum number of stored events and of waiting calls; the request log has older events.
    static let eventLimit = 1_000

    /// The stored events, oldest first.
    var log: DeviceLog {
        let newest = events.suffix(Self.eventLimit)
        return DeviceLog(
            forgotten: forgotten + events.count - newest.count,
            events: Array(newest)
        )
    }

    var hasRoomForCall: Bool { waitingCalls.count < Self.eventLimit }
    var hasWaitingCalls: Bool { !waitingCalls.isEmpty }

    mutating func add(_ event: DeviceEvent) {
        if events.count >= 2 * Self.eventLimit {
            forgotten += Self.eventLimit
            events.removeFirst(Self.eventLimit)
        }
        events.append(event)
    }

    mutating func add(_ call: ClientCall, at now: DeliveryMoment) {
        add(DeviceEvent(call, at: now))
        waitingCalls.append((forgotten + events.count, call, now))
    }

    mutating func takeWaitingCalls() -> [WaitingCall] {
        defer { waitingCalls = [] }
        return waitingCalls
    }

    mutating func complete(_ event: Int, with completion: ClientCompletion) {
        guard event > forgotten else { return }
        events[event - forgotten - 1].completion = completion
    }

    mutating func failWaitingCalls(at now: DeliveryMoment) {
        for waiting in takeWaitingCalls() {
            complete(waiting.event, with: .failed(.uninstalled, at: now))
        }
    }

    /// Restores the history from a snapshot's events.
    init(restoring events: [DeviceEvent]) {
        for event in events { add(event) }
        for (index, event) in events.enumerated() where event.completion == .pending {
            let topic = event.topic ?? ""
            let call: ClientCall =
                event.kind == .subscribe ? .subscribe(topic) : .unsubscribe(topic)
            waitingCalls.append((index + 1, call, event.at))
        }
    }

    init() {}

    /// The stored events, preceded by the waiting calls whose events were discarded.
    var snapshot: [DeviceEvent] {
        let lost = waitingCalls.filter { $0.event <= forgotten }
        return lost.map { DeviceEvent($0.call, at: $0.at) } + events
    }
}

extension DeviceSpecification {
    var conditions: DeviceConditions {
        var conditions = DeviceConditions(isOnline: isOnline, isInForeground: isInForeground)
        conditions.apply(
            DeviceChange(
                isDozing: isDozing ? true : nil,
                isForceStopped: isForceStopped ? true : nil,
                isUserStopped: isUserStopped ? true : nil
            )
        )
        return conditions
    }
}

extension [TopicName] {
    /// The elements without repetitions, in order of first appearance.
    var eachOnce: [TopicName] {
        guard Set(self).count < count else { return self }
        var known: Set<TopicName> = []
        return filter { known.insert($0).inserted }
    }
}
