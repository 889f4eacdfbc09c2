package import CampaignModel

/// The known members of a device group, which FCM does not report.
///
/// The group's key is not stored, because it gives access to all members.
package struct DeviceGroupRecord: Hashable, Sendable {
    package let name: DeviceGroupName
    /// The registrations that Herald added and did not remove.
    package let members: Set<Fingerprint>
    /// Whether these are all members: Herald created the group, and every change was answered.
    package let isWhole: Bool

    package init(name: DeviceGroupName, members: Set<Fingerprint>, isWhole: Bool) {
        self.name = name
        self.members = members
        self.isWhole = isWhole
    }
}
