package import CampaignModel
package import State

/// An operation on a device group.
package enum DeviceGroupOperation: Hashable, Sendable {
    case create
    case add
    case remove
}

/// An operation on one device group, with its members.
package struct DeviceGroupEdit: Sendable {
    let operation: DeviceGroupOperation
    let name: DeviceGroupName
    /// The known state of the group; nil if it is unknown.
    let record: DeviceGroupRecord?
    /// The members to add or remove.
    let members: [Member]

    package init(
        _ operation: DeviceGroupOperation,
        on name: DeviceGroupName,
        record: DeviceGroupRecord?,
        members: [Member]
    ) {
        self.operation = operation
        self.name = name
        self.record = record
        self.members = members
    }
}
