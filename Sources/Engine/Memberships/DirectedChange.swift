package import FCMWire
package import Planning

/// The joins or the leaves of a change, and the source of their members.
package struct DirectedChange: Sendable {
    let direction: InstanceIDBatch.Change
    let change: MembershipChange
    let source: MemberSource

    package init(
        _ direction: InstanceIDBatch.Change,
        for change: MembershipChange,
        of source: MemberSource
    ) {
        self.direction = direction
        self.change = change
        self.source = source
    }
}
