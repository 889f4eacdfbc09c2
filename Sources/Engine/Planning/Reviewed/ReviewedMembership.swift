import CampaignModel
import JSON
import RegistrationLists
import State

/// The part of one membership that a reviewer approves.
struct ReviewedMembership {
    let change: MembershipChange
    /// Nil if the list cannot be read.
    let list: ReviewedList?

    static let shape = JSONShape<ReviewedMembership>(
        "The registrations that join or leave a topic for an audience.",
        [
            .required("audience", .text, about: "Audience.") {
                $0.change.scope.audience.rawValue
            },
            .required("topic", .text, about: "Topic.") { $0.change.scope.topic.name },
            .required("joins", .object(members)) {
                // A list whose lines were only reordered is the reviewed one.
                $0.change.joins.sortedByBits()
            },
            .required("leaves", .object(members)) { $0.change.leaves },
            .required("forgotten", .object(members)) { $0.change.forgotten },
            .required("noted", .object(members)) { $0.change.noted },
            .required(
                "rejoin",
                .flag,
                about: "Whether registrations that opted out join again."
            ) { $0.change.rejoins },
            .required("wanted", .flag, about: "Whether the files declare the membership.") {
                $0.change.aim != .nobody
            },
            .optional("list", .object(ReviewedList.shape)) { $0.list },
        ]
    )

    static let members = JSONShape<[Fingerprint]>(
        "Count and hash of registrations.",
        [
            .required("count", .count, about: "Number of registrations.") { $0.count },
            .required("members", .contentID, about: "Hash of their fingerprints.") {
                ContentHash.of($0)
            },
        ]
    )
}
