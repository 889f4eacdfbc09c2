package import CampaignModel
package import State

/// Renders device groups as text.
///
/// Shows keys and registrations as fingerprints.
package struct DeviceGroupTextView {
    private let style: TextStyle

    package init(style: TextStyle = .plain) {
        self.style = style
    }

    package func renderList(_ groups: [DeviceGroupRecord]) -> String {
        guard !groups.isEmpty else { return "No device groups are known.\n" }
        let width = groups.map(\.name.text.count).max() ?? 0
        return groups.map { group in
            TextStyle.safe(group.name.text).padded(to: width + 2) + count(group) + "\n"
        }.joined()
    }

    package func render(_ group: DeviceGroupRecord, key: Fingerprint?) -> String {
        let key = key.map { "key  \($0)\n" } ?? ""
        let members = group.members.sorted().map { "  \($0)\n" }.joined()
        return "\(TextStyle.safe(group.name.text)): \(count(group))\n" + key + members
    }

    /// `group`: the group's record after the change; nil if the group no longer exists.
    package func renderChanged(_ group: DeviceGroupRecord?, name: DeviceGroupName) -> String {
        guard let group else { return "Device group \(TextStyle.safe(name.text)) was deleted.\n" }
        return "Device group \(TextStyle.safe(name.text)): \(count(group)).\n"
    }

    /// Renders a question before members are removed; nil if other members certainly remain.
    package func renderEnd(
        of name: DeviceGroupName,
        group: DeviceGroupRecord?,
        without leaving: Set<Fingerprint>
    ) -> String? {
        let name = TextStyle.safe(name.text)
        let left = (group?.members ?? []).subtracting(leaving)
        guard left.isEmpty else { return nil }
        let isWhole = group?.isWhole ?? false
        return style.folded(
            isWhole
                ? "No members would be left in device group \(name), so FCM would delete it.\n"
                : "No known members would be left in device group \(name). FCM deletes groups "
                    + "without members.\n"
        )
    }

    private func count(_ group: DeviceGroupRecord) -> String {
        let count = group.members.count.counting("registration")
        return group.isWhole ? count : "\(count) known, possibly more"
    }
}
