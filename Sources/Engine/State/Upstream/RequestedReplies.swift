package import CampaignModel
package import JSON
package import Time

/// Replies of one upstream rule to messages of devices.
///
/// They are an occurrence with a separate list. It is in progress as soon as it is recorded, in the commit that
/// also records that the messages were acted on.
package struct RequestedReplies: Hashable, Sendable {
    /// In the slot `reply:MESSAGE` of the rule.
    package let occurrence: OccurrenceID
    /// When the last of the messages arrived.
    package let due: Instant
    /// The message that each registration gets, in its stored form.
    package let message: JSONValue
    package let deduplicationKey: String?
    /// A list that no other occurrence has.
    package let list: ListID
    /// The registrations that sent messages, each once.
    package let registrations: [Registration]

    package init(
        _ occurrence: OccurrenceID,
        due: Instant,
        message: JSONValue,
        deduplicationKey: String?,
        list: ListID,
        registrations: [Registration]
    ) {
        self.occurrence = occurrence
        self.due = due
        self.message = message
        self.deduplicationKey = deduplicationKey
        self.list = list
        self.registrations = registrations
    }
}
