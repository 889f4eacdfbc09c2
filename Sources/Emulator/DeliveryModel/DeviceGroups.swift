/// App instances under one notification key (Firebase documentation, Send messages to device
/// groups).
package struct DeviceGroup: Hashable, Sendable {
    package let id: DeviceGroupID
    /// What a message names as its `token`.
    package let key: DeviceRegistration
    /// In the order in which they were added.
    package internal(set) var members: [DeviceRegistration]

    /// Members named twice count once.
    package init(id: DeviceGroupID, key: DeviceRegistration, members: [DeviceRegistration]) {
        self.id = id
        self.key = key
        self.members = []
        add(members)
    }
}

/// A group's name is its own within the project of the sender.
package struct DeviceGroupID: Hashable, Sendable {
    package let project: String
    package let name: String

    package init(project: String, name: String) {
        self.project = project
        self.name = name
    }
}

package enum DeviceGroupChange: Hashable, Sendable {
    case create(DeviceGroup)
    case add([DeviceRegistration], key: DeviceRegistration)
    /// The group is gone with its last member.
    case remove([DeviceRegistration], key: DeviceRegistration)
}

extension DeviceGroup {
    /// Firebase documentation, Send messages to device groups.
    package static let memberLimit = 20

    package func adding(_ more: [DeviceRegistration]) -> DeviceGroup {
        var group = self
        group.add(more)
        return group
    }

    mutating func add(_ more: [DeviceRegistration]) {
        var known = Set(members)
        for registration in more where known.insert(registration).inserted {
            members.append(registration)
        }
    }
}

extension DeliveryBackend {
    package func group(withKey key: DeviceRegistration) -> DeviceGroup? { groups[key] }

    package func group(_ id: DeviceGroupID) -> DeviceGroup? {
        keyOfGroup[id].flatMap { groups[$0] }
    }

    package mutating func apply(_ change: DeviceGroupChange) {
        switch change {
        case .create(let group):
            groups[group.key] = group
            keyOfGroup[group.id] = group.key
        case .add(let registrations, let key):
            groups[key]?.add(registrations)
        case .remove(let registrations, let key):
            let gone = Set(registrations)
            groups[key]?.members.removeAll { gone.contains($0) }
            guard let group = groups[key], group.members.isEmpty else { return }
            groups[key] = nil
            keyOfGroup[group.id] = nil
        }
    }

    /// The devices behind a registration or a group's key; nil where there is none.
    func recipients(of registration: DeviceRegistration) -> [Int32]? {
        if let index = index(of: registration) { return [Int32(index)] }
        let members = groups[registration]?.members.compactMap { index(of: $0) } ?? []
        return members.isEmpty ? nil : members.map { Int32($0) }
    }

    /// Whether a message to a registration is a fan-out: it is the key of a group.
    package func isGroup(_ registration: DeviceRegistration) -> Bool {
        index(of: registration) == nil && groups[registration] != nil
    }

    /// What becomes of a message of a project that names the registration or group key, and that
    /// is restricted to a package where one is given.
    package func standing(
        of registration: DeviceRegistration,
        project: String,
        package name: String?
    ) -> RegistrationStanding {
        guard let index = index(of: registration) else {
            return recipients(of: registration) == nil ? .unknown : .addressable
        }
        guard memories[index].belongs(to: project) else { return .ofOtherProject }
        return memories[index].isOfPackage(name) ? .addressable : .ofOtherPackage
    }
}

package enum RegistrationStanding: Hashable, Sendable {
    case addressable
    /// Nobody has it, or no longer.
    case unknown
    case ofOtherProject
    case ofOtherPackage
}
