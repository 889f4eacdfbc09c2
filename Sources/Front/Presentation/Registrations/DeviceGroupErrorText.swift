package import CampaignModel

/// Errors of changes to device groups.
extension ErrorText {
    package static var groupChanged: ErrorText {
        ErrorText(
            "the group changed while this command ran",
            help: "check the group and run the command again"
        )
    }

    package static func groupTooLarge(_ name: DeviceGroupName, count: Int, limit: Int) -> ErrorText
    {
        ErrorText(
            "a device group has at most \(limit) registrations, but \(name) would have "
                + "\(count)",
            help: "add fewer registrations; nothing was changed"
        )
    }

    package static func notInGroup(_ name: DeviceGroupName) -> ErrorText {
        ErrorText(
            "none of these registrations is in device group \(name)",
            help: "list its members with `herald groups show`"
        )
    }

    package static func noRegistrationsOfFingerprints(_ count: Int) -> ErrorText {
        ErrorText(
            count == 1
                ? "no list has a registration with that fingerprint"
                : "no list has registrations with \(count) of the fingerprints",
            help: "name the list with --list, or give registrations as @FILE"
        )
    }

    package static var noRegistrationsNamed: ErrorText {
        ErrorText("no registrations are named")
    }

    package static func noRow(_ row: Int, inListOf count: Int) -> ErrorText {
        ErrorText("the list has \(count.counting("registration")), but no row \(row)")
    }
}
