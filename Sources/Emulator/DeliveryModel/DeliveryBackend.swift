/// The target of a message.
package enum MessageTarget: Hashable, Sendable {
    case registration(DeviceRegistration)
    case topic(TopicName)
    case condition(TopicCondition)

    var isRegistration: Bool { if case .registration = self { true } else { false } }
}

package enum DeliveryOutcome: Hashable, Sendable {
    /// FCM accepted the message; `devices` is the number of addressed app instances.
    case accepted(devices: Int)
    /// The registration does not exist or is no longer valid.
    case unregistered
}

package enum SeedingFailure: Error, Hashable, Sendable {
    case registrationTaken(device: String, by: String)
    /// A device has more topics than an app instance can be subscribed to.
    case tooManyTopics(device: String)
}

/// FCM's side of delivery: app instances, their topics, and their stored messages.
///
/// The same calls with the same times produce the same inboxes. Times must never decrease.
package struct DeliveryBackend: Sendable {
    /// All devices; a removed device leaves a gap, so that the other indices stay the same.
    var memories: [DeviceMemory] = []
    private(set) var gaps = 0
    /// The members of each topic, indexed by topic number.
    var members: [DeviceSet] = []
    var topicNames: [TopicName] = []
    var numberOfTopic: [TopicName: Int32] = [:]
    private var indexOfName: [String: Int] = [:]
    /// Indices by the current registration of a device and by its seeded registration.
    private(set) var indexOfRegistration: [DeviceRegistration: Int] = [:]
    private var topicLists = TopicLists()
    var groups: [DeviceRegistration: DeviceGroup] = [:]
    var keyOfGroup: [DeviceGroupID: DeviceRegistration] = [:]
    package var limits = DeliveryLimits()
    package internal(set) var options = DeliveryOptions()
    var membershipRate = RateWindow()
    var upstream = UpstreamProject()
    var fanOuts = FanOuts()
    var dues = DueHeap()
    var changes = ChangeList()
    /// The reports of the device that was operated last.
    var reports: [DeliveryReport] = []
    /// The time up to which all due work is done.
    var latest = DeliveryMoment(milliseconds: .min)

    package init() {}

    /// Changes how FCM and the devices behave from `now` on.
    package mutating func set(_ options: DeliveryOptions, at now: DeliveryMoment) {
        advance(to: now)
        self.options = options
        for index in places {
            operate(on: index, at: now) { machine, options, reports in
                machine.settle(at: now, under: options, reportingTo: &reports)
            }
        }
    }

    /// The devices in the order of their first seeding.
    package var devices: [Device] { places.map { device(at: $0) } }

    /// The indices of existing devices, without gaps.
    var places: [Int] { memories.indices.filter { !memories[$0].isGap } }

    package func device(named name: String) -> Device? {
        indexOfName[name].map { device(at: $0) }
    }

    func index(named name: String) -> Int? { indexOfName[name] }

    /// Returns the device with a valid registration.
    package func device(registeredAs registration: DeviceRegistration) -> Device? {
        index(of: registration).map { device(at: $0) }
    }

    func index(of registration: DeviceRegistration) -> Int? {
        guard let index = indexOfRegistration[registration],
            memories[index].registration == registration,
            memories[index].isRegistered
        else { return nil }
        return index
    }

    func device(at index: Int) -> Device {
        let memory = memories[index]
        var device = Device(memory.specification)
        device.registration = memory.registration
        device.isRegistered = memory.isRegistered
        device.platform = memory.platform
        device.take(memory.machine.conditions, lastSeen: memory.machine.lastSeen)
        for membership in memory.memberships {
            device.topics[topicNames[Int(membership.topic)]] = membership.since
        }
        return device
    }

    /// Returns every device's inbox in seeding order.
    package mutating func inboxes(at now: DeliveryMoment) -> [DeviceInbox] {
        advance(to: now)
        return currentInboxes(at: now)
    }

    /// Returns a device's log, or nil if no device has the name.
    package func log(of name: String) -> DeviceLog? {
        indexOfName[name].map { memories[$0].history.value.log }
    }

    /// Returns one device's inbox, or nil if no device has the name.
    package mutating func inbox(of name: String, at now: DeliveryMoment) -> DeviceInbox? {
        advance(to: now)
        return indexOfName[name].map { inbox(at: $0, now: now) }
    }

    func inbox(at index: Int, now: DeliveryMoment) -> DeviceInbox {
        let memory = memories[index]
        return memory.machine.inbox(
            of: device(at: index),
            revision: memory.revision,
            at: now,
            under: options
        )
    }

    /// Delivers a message to all devices of its target.
    ///
    /// A device that the target addresses twice receives the message once.
    package mutating func accept(
        _ message: EffectiveMessage,
        id: MessageID,
        for target: MessageTarget,
        at now: DeliveryMoment
    ) -> DeliveryOutcome {
        advance(to: now)
        if limits.appleMessagesPerMinute != nil, case .registration(let registration) = target {
            for index in recipients(of: registration) ?? [] {
                countAppleMessage(Int(index), at: now)
            }
        }
        return take(message, id: id, for: target, at: now)
    }

    mutating func take(
        _ message: EffectiveMessage,
        id: MessageID,
        for target: MessageTarget,
        at now: DeliveryMoment
    ) -> DeliveryOutcome {
        switch target {
        case .registration(let registration):
            if let index = index(of: registration) {
                var single = FanOut(of: message, id: id, for: target, to: [], at: now)
                deliver(&single, to: index, at: now)
                return .accepted(devices: 1)
            }
            guard let recipients = recipients(of: registration) else { return .unregistered }
            begin(FanOut(of: message, id: id, for: target, to: recipients, at: now), at: now)
            return .accepted(devices: recipients.count)
        case .topic(let topic):
            let recipients = recipients(of: topic, at: now)
            begin(FanOut(of: message, id: id, for: target, to: recipients, at: now), at: now)
            return .accepted(devices: recipients.count)
        case .condition(let condition):
            let recipients = recipients(of: condition, at: now)
            begin(FanOut(of: message, id: id, for: target, to: recipients, at: now), at: now)
            return .accepted(devices: recipients.count)
        }
    }

    /// Delivers the message of a fan-out to one device.
    mutating func deliver(_ fanOut: inout FanOut, to index: Int, at now: DeliveryMoment) {
        guard memories[index].isOfPackage(fanOut.contents.packageName) else { return }
        let platform = memories[index].platform
        let shared = fanOut.contents.content(for: platform)
        let message = ArrivingMessage(
            id: fanOut.id,
            shared: shared,
            on: platform,
            package: memories[index].packageName,
            isToTopic: fanOut.isToTopic,
            isForPlatform: !shared.content.isEmpty || fanOut.contents.isEmptyForAll
        )
        operate(on: index, at: now) { machine, options, reports in
            machine.arrive(message, at: now, under: options, reportingTo: &reports)
        }
    }
}

extension DeliveryBackend {
    /// Removes a device and all its data; returns false if no device has the name.
    package mutating func remove(_ name: String) -> Bool {
        guard let index = indexOfName[name] else { return false }
        leaveAllTopics(index)
        forgetUpstream(of: index)
        for case let registration? in registrations(of: index) {
            indexOfRegistration[registration] = nil
        }
        indexOfName[name] = nil
        memories[index] = .gap
        noteRemoval()
        gaps += 1
        // Running fan-outs refer to devices by index.
        if gaps > 16, 2 * gaps > memories.count, fanOuts.isEmpty { closeGaps() }
        return true
    }

    private mutating func closeGaps() {
        memories.removeAll(where: \.isGap)
        gaps = 0
        rebuildIndexes()
    }

    /// Discards messages, memberships and groups, and returns every device to its seeded condition.
    package mutating func reset(at now: DeliveryMoment) {
        advance(to: now)
        let specifications = places.map { memories[$0].specification }
        startAnew()
        for specification in specifications { add(specification, at: now) }
    }

    /// Discards everything except the settings, the time and the revision.
    mutating func startAnew() {
        let former = self
        self = DeliveryBackend()
        limits = former.limits
        options = former.options
        latest = former.latest
        changes.revision = former.changes.revision
        // Connections of app servers refer to the numbers.
        upstream.lastNumber = former.upstream.lastNumber
        upstream.queue = UpstreamQueue(after: former.upstream.queue)
        upstream.drains = former.upstream.drains
        upstream.sender = former.upstream.sender
        noteRemoval()
    }

    mutating func add(_ specification: DeviceSpecification, at now: DeliveryMoment) {
        let index = memories.count
        var specification = specification
        specification.topics = topicLists.shared(specification.topics)
        memories.append(DeviceMemory(specification, at: now))
        enterIndexes(index)
        if specification.registration != nil { joinOwnTopics(index, at: now) }
        touch(index)
        schedule(index)
    }

    mutating func replaceRegistration(of index: Int, with registration: DeviceRegistration?) {
        let former = memories[index].registration
        if let former, former != memories[index].specification.registration {
            indexOfRegistration[former] = nil
        }
        memories[index].registration = registration
        if let registration { indexOfRegistration[registration] = index }
    }

    /// Removes a registration with which no device is seeded any longer.
    mutating func forget(_ registration: DeviceRegistration) {
        indexOfRegistration[registration] = nil
    }

    mutating func rebuildIndexes() {
        indexOfName = [:]
        indexOfRegistration = [:]
        members = members.map { _ in DeviceSet() }
        dues = DueHeap()
        for index in memories.indices {
            enterIndexes(index)
            for membership in memories[index].memberships {
                members[Int(membership.topic)].insert(index)
            }
            memories[index].scheduled = .never
            schedule(index)
        }
    }

    private mutating func enterIndexes(_ index: Int) {
        indexOfName[memories[index].name] = index
        for case let registration? in registrations(of: index) {
            indexOfRegistration[registration] = index
        }
    }

    private func registrations(of index: Int) -> [DeviceRegistration?] {
        [memories[index].specification.registration, memories[index].registration]
    }
}
