package import CampaignModel
package import Time

/// Records which registrations are in which topics and device groups.
package protocol MembershipBook: Sendable {
    /// Counts of all memberships, and the last join into each topic.
    func membershipOverview() async throws(StateStoreError) -> MembershipOverview

    /// The members of one audience in one topic, sorted by fingerprint.
    func memberships(in scope: MembershipScope) async throws(StateStoreError) -> [Membership]

    /// The members of one audience in one topic after a fingerprint, or the first ones; sorted by
    /// fingerprint, fewer than `limit` only at the end.
    func recordedMembers(
        in scope: MembershipScope,
        after fingerprint: Fingerprint?,
        limit: Int
    ) async throws(StateStoreError) -> [RecordedMember]

    /// The statuses that these registrations have in a topic, for any audience; a registration
    /// that is recorded for none is not in the result.
    func standings(
        of fingerprints: [Fingerprint],
        in topic: Topic
    ) async throws(StateStoreError) -> [Fingerprint: Set<MembershipStatus>]

    /// Records members under a status, whether they were members before or not.
    func record(
        _ members: [Member],
        as status: MembershipStatus,
        in scope: MembershipScope
    ) async throws(StateStoreError)

    /// Records members as leaving, before the request that does it, and returns them with their
    /// registrations in the order of the fingerprints.
    ///
    /// A fingerprint without a member is not in the result.
    func beginLeave(
        _ fingerprints: [Fingerprint],
        in scope: MembershipScope
    ) async throws(StateStoreError) -> [Member]

    /// Joining members become joined or refused.
    ///
    /// `moment`: when the last of them joined.
    func finishJoin(
        _ results: [MembershipResult],
        in scope: MembershipScope,
        at moment: Instant
    ) async throws(StateStoreError)

    /// Members that left are removed, also the refused ones.
    func finishLeave(
        _ results: [MembershipResult],
        in scope: MembershipScope
    ) async throws(StateStoreError)

    /// How memberships are changed unless an audience specifies it; nil until FCM made it
    /// necessary.
    func membershipTransport() async throws(StateStoreError) -> MembershipTransport?

    /// Keeps how memberships are changed from now on.
    func remember(_ transport: MembershipTransport) async throws(StateStoreError)

    /// The device groups whose members are recorded, by name.
    func deviceGroups() async throws(StateStoreError) -> [DeviceGroupRecord]

    /// Replaces what is recorded of a device group; nil removes it.
    func record(
        _ record: DeviceGroupRecord?,
        of name: DeviceGroupName
    ) async throws(StateStoreError)
}

extension MembershipBook {
    /// Records members as joining, before the request that does it.
    package func beginJoin(
        _ members: [Member],
        in scope: MembershipScope
    ) async throws(StateStoreError) {
        try await record(members, as: .joining, in: scope)
    }
}

/// How many members each audience has in each topic, and when the topics were last joined.
package struct MembershipOverview: Hashable, Sendable {
    /// By audience, then topic.
    package let summaries: [MembershipSummary]
    /// The last join into each topic, by any audience.
    package let lastJoins: [Topic: Instant]

    package init(summaries: [MembershipSummary], lastJoins: [Topic: Instant]) {
        self.summaries = summaries
        self.lastJoins = lastJoins
    }
}
