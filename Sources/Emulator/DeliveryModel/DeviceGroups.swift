/// App instances under one notification key (Firebase documentation, Send messages to device
/// groups).
package struct DeviceGroup: Hashable, Sendable {
    package let id: DeviceGroupID
    /// The notification key, which messages use as their `token`.
    package let key: DeviceRegistration
    /// The members in the order of addition.
    package internal(set) var members: [DeviceRegistration]

    /// Creates a group; repeated members count once.
    package init(id: DeviceGroupID, key: DeviceRegistration, members: [DeviceRegistration]) {
        self.id = id
        self.key = key
        self.members = []
        add(members)
    }
}

/// A group's name, which is unique within the sender's project.
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
    /// Removing the last member deletes the group.
    case remove([DeviceRegistration], key: DeviceRegistration)
}

extension DeviceGroup {
    /// Maximum number of members (Firebase documentation, Send messages to device groups).
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

    /// Returns the devices of a registration or a group key, or nil if there are none.
    func recipients(of registration: DeviceRegistration) -> [Int32]? {
        if let index = index(of: registration) { return [Int32(index)] }
        let members = groups[registration]?.members.compactMap { index(of: $0) } ?? []
        return members.isEmpty ? nil : members.map { Int32($0) }
    }

    /// Returns whether the registration is a group key, so that a message to it is a fan-out.
    package func isGroup(_ registration: DeviceRegistration) -> Bool {
        index(of: registration) == nil && groups[registration] != nil
    }

    /// Returns whether a project's message can address a registration or a group key.
    ///
    /// `package` is the package to which the message is restricted, if any.
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
    /// The registration does not exist or is no longer valid.
    case unknown
    case ofOtherProject
    case ofOtherPackage
}
