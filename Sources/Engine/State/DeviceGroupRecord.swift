package import CampaignModel

/// What is known of a device group at FCM, which names no members to anybody.
///
/// The group's key is not in it: whoever has that reaches the people behind it.
package struct DeviceGroupRecord: Hashable, Sendable {
    package let name: DeviceGroupName
    /// Those whom Herald put into it and did not take out.
    package let members: Set<Fingerprint>
    /// Whether these are all: Herald made the group, and every change of it was answered.
    package let isWhole: Bool

    package init(name: DeviceGroupName, members: Set<Fingerprint>, isWhole: Bool) {
        self.name = name
        self.members = members
        self.isWhole = isWhole
    }
}
