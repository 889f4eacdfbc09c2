package import CampaignModel

/// How a campaign's current list differs from the stored list that its interrupted send addresses.
package struct EditedList: Hashable, Sendable {
    /// The list that was stored when the send began.
    package let stored: ListID
    /// The campaign's current list.
    package let current: ListID
    /// Number of requests to the stored list that remain, without those to dead registrations.
    package let remaining: Int
    /// The registrations that remaining requests address and the current list does not contain, in
    /// the order of the stored list.
    package let removed: [Fingerprint]
    /// Number of registrations that only the current list contains; the send does not address them.
    package let added: Int
}
