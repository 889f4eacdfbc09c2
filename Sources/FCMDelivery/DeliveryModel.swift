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
}

/// FCM's side of delivery: app instances, their topics, and what is stored for them.
///
/// The same calls with the same moments lead to the same inboxes. A send costs as much as it has
/// recipients; only a condition that holds for a device without topics looks at all of them.
package struct DeliveryModel: Sendable {
    var memories: [DeviceMemory] = []
    var members: [TopicName: Set<Int>] = [:]
    private var indexOfName: [String: Int] = [:]
    private(set) var indexOfRegistration: [DeviceRegistration: Int] = [:]
    var groups: [DeviceRegistration: DeviceGroup] = [:]
    var keyOfGroup: [DeviceGroupID: DeviceRegistration] = [:]
    package var limits = DeliveryLimits()
    var membershipRate = RateWindow()
    /// By the index of the device; only where a limit is set.
    var appleRates: [Int: RateWindow] = [:]

    package init() {}

    /// The devices in the order in which they were first seeded.
    package var devices: [Device] { memories.map(\.device) }

    package func device(named name: String) -> Device? {
        indexOfName[name].map { memories[$0].device }
    }

    /// The device of a registration that is valid.
    package func device(registeredAs registration: DeviceRegistration) -> Device? {
        index(of: registration).map { memories[$0].device }
    }

    func index(of registration: DeviceRegistration) -> Int? {
        guard let index = indexOfRegistration[registration], memories[index].device.isRegistered
        else { return nil }
        return index
    }

    /// What every device received, in the order of seeding.
    package mutating func inboxes(at now: DeliveryMoment) -> [DeviceInbox] {
        for index in memories.indices { memories[index].expire(at: now) }
        return memories.map(\.inbox)
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
        for index in recipients where memories[index].device.isOfPackage(message.packageName) {
            memories[index].take(message, id: id, at: now)
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
    /// A known one keeps its conditions, memberships and messages; if its registration is a new
    /// one, the app joins its own topics under it.
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
            let known = indexOfRegistration[specification.registration]
            let owner = owners[specification.registration] ?? known.map { memories[$0].device.name }
            if let owner, owner != specification.name {
                throw .registrationTaken(device: specification.name, by: owner)
            }
            owners[specification.registration] = specification.name
        }
    }

    /// Whether seeding would change nothing.
    package func knows(_ specifications: [DeviceSpecification]) -> Bool {
        specifications.allSatisfy { specification in
            let device = device(named: specification.name)
            return device?.registration == specification.registration
                && device?.platform == specification.platform
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
        return true
    }

    /// Forgets messages, memberships and groups: every device is as when it was seeded.
    package mutating func reset(at now: DeliveryMoment) {
        let specifications = memories.map(\.specification)
        let limits = limits
        self = DeliveryModel()
        self.limits = limits
        for specification in specifications { add(specification, at: now) }
    }

    private mutating func add(_ specification: DeviceSpecification, at now: DeliveryMoment) {
        let index = memories.count
        memories.append(DeviceMemory(specification))
        indexOfName[specification.name] = index
        indexOfRegistration[specification.registration] = index
        for topic in specification.topics { join(index, topic, at: now) }
    }

    private mutating func update(
        _ index: Int,
        to specification: DeviceSpecification,
        at now: DeliveryMoment
    ) {
        let former = memories[index].device.registration
        memories[index].specification = specification
        memories[index].device.platform = specification.platform
        memories[index].device.project = specification.project
        memories[index].device.packageName = specification.packageName
        guard former != specification.registration else { return }
        indexOfRegistration[former] = nil
        indexOfRegistration[specification.registration] = index
        memories[index].device.registration = specification.registration
        startAfresh(index, at: now)
    }

    private mutating func startAfresh(_ index: Int, at now: DeliveryMoment) {
        leaveAllTopics(index)
        memories[index].device.isRegistered = true
        for topic in memories[index].specification.topics { join(index, topic, at: now) }
    }
}
