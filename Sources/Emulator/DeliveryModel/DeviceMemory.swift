/// A device as the model keeps it.
struct DeviceMemory: Sendable {
    var specification: DeviceSpecification
    var registration: DeviceRegistration?
    var machine: DeviceMachine
    /// By the numbers of the topics.
    var memberships: [Membership] = []
    /// What the app asks for whenever it has a registration: its own topics as it was seeded, and
    /// what it subscribed to since by itself; each once.
    var ownTopics: [TopicName]
    var history = Seldom<DeviceHistory>()
    private(set) var isGap = false
    /// The change of the model that was the last of this device.
    var revision = 0
    /// When the model looks at the machine again at the latest.
    var scheduled = DeliveryMoment.never

    struct Membership: Sendable {
        let topic: Int32
        let since: DeliveryMoment
    }

    /// Takes the place of a device that was removed.
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
            specification.conditions,
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

    /// Where the membership of a topic is, or would be.
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

/// What happened on a device, and the calls of its app that have not ended.
struct DeviceHistory: Emptiable {
    private var events: [DeviceEvent] = []
    private var forgotten = 0
    private var waitingCalls: [WaitingCall] = []

    /// A call of the app's that has not ended, and the number of its event.
    typealias WaitingCall = (event: Int, call: ClientCall, at: DeliveryMoment)

    /// So many events are remembered, and as many calls can wait: what is older stands in the
    /// request log.
    static let eventLimit = 1_000

    /// What is remembered of what happened, the oldest first.
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

    mutating func complete(_ event: Int, _ completion: ClientCompletion) {
        guard event > forgotten else { return }
        events[event - forgotten - 1].completion = completion
    }

    mutating func failWaitingCalls(at now: DeliveryMoment) {
        for waiting in takeWaitingCalls() {
            complete(waiting.event, .failed(.uninstalled, at: now))
        }
    }

    /// Puts back what a snapshot has.
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

    /// The events that are remembered, after the calls that wait though theirs are not.
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
    /// The same, without what was there before.
    var eachOnce: [TopicName] {
        guard Set(self).count < count else { return self }
        var known: Set<TopicName> = []
        return filter { known.insert($0).inserted }
    }
}
