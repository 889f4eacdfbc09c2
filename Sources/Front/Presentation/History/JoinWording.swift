package import CampaignModel

/// What `herald history --join` reports about sends that it cannot join.
package enum JoinWording {
    package static func compacted(_ occurrence: OccurrenceID) -> String {
        "\(TextStyle.safe(occurrence.description)) was compacted: only its counts are kept.\n"
    }

    package static func unjoinable(_ occurrence: OccurrenceID, with list: String) -> String {
        "The list of \(TextStyle.safe(occurrence.description)) is no longer stored, and "
            + "\(TextStyle.safe(list)) is a different list: the recipients of its requests are "
            + "unknown.\n"
    }
}
