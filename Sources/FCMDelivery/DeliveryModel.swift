/// Whom a message is for.
package enum MessageTarget: Hashable, Sendable {
    case registration(DeviceRegistration)
    case topic(TopicName)
    case condition(TopicCondition)
}

package enum DeliveryOutcome: Hashable, Sendable {
    /// Taken on; `devices` is how many app instances it was for.
    case accepted(devices: Int)
    /// Nobody has this registration, or no longer.
    case unregistered
}

package enum SeedingFailure: Error, Hashable, Sendable {
    case registrationTaken(device: String, by: String)
    /// More than an app instance can be subscribed to.
    case tooManyTopics(device: String)
}

/// FCM's side of delivery: app instances, their topics, and what is stored for them.
///
/// The same calls with the same moments lead to the same inboxes. A send costs as much as it has
/// recipients; only a condition that holds for a device without topics looks at all of them.
package struct DeliveryModel: Sendable {
    /// With gaps, so that the removal of a device moves no other one.
    var memories: [DeviceMemory] = []
    private var gaps = 0
    var members: [TopicName: Set<Int>] = [:]
    private var indexOfName: [String: Int] = [:]
    /// By the registration that a device has, and by the one that it was seeded with.
    private(set) var indexOfRegistration: [DeviceRegistration: Int] = [:]
    var groups: [DeviceRegistration: DeviceGroup] = [:]
    var keyOfGroup: [DeviceGroupID: DeviceRegistration] = [:]
    package var limits = DeliveryLimits()
    var membershipRate = RateWindow()

    package init() {}

    /// The devices in the order in which they were first seeded.
    package var devices: [Device] { places.map { memories[$0].device } }

    /// The indices that are no gaps.
    private var places: [Int] { memories.indices.filter { !memories[$0].isGap } }

    package func device(named name: String) -> Device? {
        indexOfName[name].map { memories[$0].device }
    }

    func index(named name: String) -> Int? { indexOfName[name] }

    /// The device of a registration that is valid.
    package func device(registeredAs registration: DeviceRegistration) -> Device? {
        index(of: registration).map { memories[$0].device }
    }

    func index(of registration: DeviceRegistration) -> Int? {
        guard let index = indexOfRegistration[registration],
            memories[index].device.registration == registration,
            memories[index].device.isRegistered
        else { return nil }
        return index
    }

    /// What every device received, in the order of seeding.
    package mutating func inboxes(at now: DeliveryMoment) -> [DeviceInbox] {
        for index in memories.indices { memories[index].expire(at: now) }
        return places.map { memories[$0].inbox }
    }

    /// What happened on a device; nil where no device has the name.
    package func log(of name: String) -> DeviceLog? {
        indexOfName[name].map { memories[$0].log }
    }

    /// What one device received; nil where none has the name.
    package mutating func inbox(of name: String, at now: DeliveryMoment) -> DeviceInbox? {
        guard let index = indexOfName[name] else { return nil }
        memories[index].expire(at: now)
        return memories[index].inbox
    }

    /// Applies a message to everybody it is for.
    ///
    /// A device that a target names twice gets it once.
    package mutating func accept(
        _ message: EffectiveMessage,
        id: MessageID,
        for target: MessageTarget,
        at now: DeliveryMoment
    ) -> DeliveryOutcome {
        switch target {
        case .registration(let registration):
            guard let recipients = recipients(of: registration) else { return .unregistered }
            for index in recipients { countAppleMessage(index, at: now) }
            deliver(message, id: id, to: recipients, at: now)
            return .accepted(devices: recipients.count)
        case .topic(let topic):
            let recipients = members[topic] ?? []
            deliver(message, id: id, to: recipients, at: now)
            return .accepted(devices: recipients.count)
        case .condition(let condition):
            let recipients = self.recipients(of: condition)
            deliver(message, id: id, to: recipients, at: now)
            return .accepted(devices: recipients.count)
        }
    }

    mutating func deliver(
        _ message: EffectiveMessage,
        id: MessageID,
        to recipients: some Sequence<Int>,
        at now: DeliveryMoment
    ) {
        var contents = PlatformContents(message)
        for index in recipients where memories[index].device.isOfPackage(message.packageName) {
            memories[index].take(&contents, id: id, at: now)
            forgetTopicsIfUnregistered(index)
        }
    }

    private func forgets(_ index: Int) -> Bool {
        !memories[index].device.isRegistered && !memories[index].device.topics.isEmpty
    }

    private mutating func forgetTopicsIfUnregistered(_ index: Int) {
        if forgets(index) { leaveAllTopics(index) }
    }
}

extension DeliveryModel {
    /// Adds the devices whose names are unknown.
    ///
    /// A known one keeps its conditions, memberships and messages; if it is given a registration
    /// that it was not seeded with, the app joins its own topics under that one.
    ///
    /// Nothing is changed where one of the registrations belongs to a device of another name.
    package mutating func seed(
        _ specifications: [DeviceSpecification],
        at now: DeliveryMoment
    ) throws(SeedingFailure) {
        try checkSeeding(of: specifications)
        for specification in specifications {
            if let index = indexOfName[specification.name] {
                update(index, to: specification, at: now)
            } else {
                add(specification, at: now)
            }
        }
    }

    /// Throws what `seed` would throw.
    package func checkSeeding(of specifications: [DeviceSpecification]) throws(SeedingFailure) {
        var owners: [DeviceRegistration: String] = [:]
        for specification in specifications {
            guard Set(specification.topics).count <= Self.topicsPerDevice else {
                throw .tooManyTopics(device: specification.name)
            }
            guard let registration = specification.registration else { continue }
            if let owner = owners[registration] ?? owner(of: registration),
                owner != specification.name
            {
                throw .registrationTaken(device: specification.name, by: owner)
            }
            owners[registration] = specification.name
        }
    }

    /// The device that has a registration, or was seeded with it.
    package func owner(of registration: DeviceRegistration) -> String? {
        indexOfRegistration[registration].map { memories[$0].device.name }
    }

    /// Whether seeding would change nothing.
    package func knows(_ specifications: [DeviceSpecification]) -> Bool {
        specifications.allSatisfy { specification in
            guard let index = indexOfName[specification.name] else { return false }
            let known = memories[index].specification
            let registration = specification.registration ?? known.registration
            return known.registration == registration
                && known.platform == specification.platform
                && known.project == specification.project
                && known.packageName == specification.packageName
        }
    }

    /// Changes the conditions of a device; one that comes online gets what waits for it.
    ///
    /// False where no device has the name.
    package mutating func setCondition(
        of name: String,
        _ change: DeviceChange,
        at now: DeliveryMoment
    ) -> Bool {
        guard let index = indexOfName[name] else { return false }
        let isFreshInstall = change.isInstalled == true && !memories[index].device.isInstalled
        if isFreshInstall { startAfresh(index, at: now) }
        memories[index].apply(change, at: now)
        forgetTopicsIfUnregistered(index)
        finishCalls(of: index, at: now)
        return true
    }

    /// Removes a device and everything it had; true where there was one.
    package mutating func remove(_ name: String) -> Bool {
        guard let index = indexOfName[name] else { return false }
        leaveAllTopics(index)
        for case let registration? in registrations(of: index) {
            indexOfRegistration[registration] = nil
        }
        indexOfName[name] = nil
        memories[index] = .gap
        gaps += 1
        if gaps > 16, 2 * gaps > memories.count { closeGaps() }
        return true
    }

    private mutating func closeGaps() {
        memories.removeAll(where: \.isGap)
        gaps = 0
        rebuildIndexes()
    }

    /// Forgets messages, memberships and groups: every device is as when it was seeded.
    package mutating func reset(at now: DeliveryMoment) {
        let specifications = places.map { memories[$0].specification }
        let limits = limits
        self = DeliveryModel()
        self.limits = limits
        for specification in specifications { add(specification, at: now) }
    }

    private mutating func add(_ specification: DeviceSpecification, at now: DeliveryMoment) {
        let index = memories.count
        memories.append(DeviceMemory(specification))
        enterIndexes(index)
        if specification.registration != nil {
            for topic in specification.topics { join(index, topic, at: now) }
        }
    }

    private mutating func update(
        _ index: Int,
        to specification: DeviceSpecification,
        at now: DeliveryMoment
    ) {
        let former = memories[index].specification.registration
        let registration = specification.registration ?? former
        if former != registration { replaceRegistration(of: index, with: nil) }
        memories[index].specification = specification
        memories[index].specification.registration = registration
        memories[index].device.platform = specification.platform
        memories[index].device.project = specification.project
        memories[index].device.packageName = specification.packageName
        guard former != registration else { return }
        if let former { indexOfRegistration[former] = nil }
        replaceRegistration(of: index, with: registration)
        startAfresh(index, at: now)
        finishCalls(of: index, at: now)
    }

    private mutating func startAfresh(_ index: Int, at now: DeliveryMoment) {
        leaveAllTopics(index)
        memories[index].ownTopics = Set(memories[index].specification.topics)
        memories[index].device.isRegistered = memories[index].device.registration != nil
        if memories[index].device.isRegistered { joinOwnTopics(index, at: now) }
    }

    mutating func replaceRegistration(of index: Int, with registration: DeviceRegistration?) {
        let former = memories[index].device.registration
        if let former, former != memories[index].specification.registration {
            indexOfRegistration[former] = nil
        }
        memories[index].device.registration = registration
        if let registration { indexOfRegistration[registration] = index }
    }
}

extension DeliveryModel {
    /// The whole of every device, in the order of seeding.
    package mutating func snapshot(at now: DeliveryMoment) -> [DeviceSnapshot] {
        for index in memories.indices { memories[index].expire(at: now) }
        return places.map { memories[$0].snapshot }
    }

    /// Puts these devices in the place of all that there are.
    ///
    /// Device groups are forgotten: their members may be among those that are gone.
    package mutating func restore(_ snapshots: [DeviceSnapshot]) {
        let limits = limits
        self = DeliveryModel()
        self.limits = limits
        memories = snapshots.map { DeviceMemory($0) }
        rebuildIndexes()
    }

    private mutating func rebuildIndexes() {
        indexOfName = [:]
        indexOfRegistration = [:]
        members = members.mapValues { _ in [] }
        for index in memories.indices {
            enterIndexes(index)
            for topic in memories[index].device.topics.keys {
                members[topic, default: []].insert(index)
            }
        }
    }

    private mutating func enterIndexes(_ index: Int) {
        indexOfName[memories[index].device.name] = index
        for case let registration? in registrations(of: index) {
            indexOfRegistration[registration] = index
        }
    }

    private func registrations(of index: Int) -> [DeviceRegistration?] {
        [memories[index].specification.registration, memories[index].device.registration]
    }
}
