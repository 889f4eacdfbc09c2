package import CampaignModel
package import Time

/// Records which registrations are in which topics and device groups.
package protocol MembershipBook: Sendable {
    /// Counts of all memberships, and the last join to each topic.
    func membershipOverview() async throws(StateStoreError) -> MembershipOverview

    /// The records of one audience in one topic whose fingerprints are in a part.
    ///
    /// Merging them takes longer than reading them, so callers merge several parts at a time.
    func records(
        in scope: MembershipScope,
        part: FingerprintPart
    ) async throws(StateStoreError) -> MembershipRecords

    /// The members of one audience in one topic after a fingerprint, or the first ones; sorted by
    /// fingerprint, fewer than `limit` only at the end.
    func recordedMembers(
        in scope: MembershipScope,
        after fingerprint: Fingerprint?,
        limit: Int
    ) async throws(StateStoreError) -> [RecordedMember]

    /// The statuses of these different registrations in a topic, for any audience.
    ///
    /// One call for many registrations reads less than many calls for few.
    func standings(
        of fingerprints: [Fingerprint],
        in topic: Topic
    ) async throws(StateStoreError) -> MembershipStandings

    /// Records the verdicts of joins, then members, as a whole.
    func record(
        _ step: MembershipStep,
        in scope: MembershipScope
    ) async throws(StateStoreError)

    /// Records members as leaving, before their request, and returns them with their registrations
    /// in the order of the fingerprints.
    ///
    /// Fingerprints without a member are omitted.
    func beginLeave(
        _ fingerprints: [Fingerprint],
        in scope: MembershipScope
    ) async throws(StateStoreError) -> [Member]

    /// Removes members that left, including refused ones.
    func finishLeave(
        _ results: [MembershipResult],
        in scope: MembershipScope
    ) async throws(StateStoreError)

    /// The transport for audiences that specify none; nil until FCM requires a certain one.
    func membershipTransport() async throws(StateStoreError) -> MembershipTransport?

    /// Stores the transport for later membership changes.
    func remember(_ transport: MembershipTransport) async throws(StateStoreError)

    /// The device groups whose members are recorded, by name.
    func deviceGroups() async throws(StateStoreError) -> [DeviceGroupRecord]

    /// Replaces the record of a device group; nil removes it.
    func record(
        _ record: DeviceGroupRecord?,
        of name: DeviceGroupName
    ) async throws(StateStoreError)
}

extension MembershipBook {
    /// The members of one audience in one topic, sorted by fingerprint.
    package func memberships(
        in scope: MembershipScope
    ) async throws(StateStoreError) -> [Membership] {
        try await records(in: scope, part: .all).members()
    }

    /// Records members with a status, whether they were members before or not.
    package func record(
        _ members: [Member],
        as status: MembershipStatus,
        in scope: MembershipScope
    ) async throws(StateStoreError) {
        try await record(MembershipStep(members: [status: members]), in: scope)
    }

    /// Records members as joining, before their request.
    package func beginJoin(
        _ members: [Member],
        in scope: MembershipScope
    ) async throws(StateStoreError) {
        try await record(members, as: .joining, in: scope)
    }

    /// Joining members become joined or refused.
    ///
    /// `moment`: the time of the last join.
    package func finishJoin(
        _ results: [MembershipResult],
        in scope: MembershipScope,
        at moment: Instant
    ) async throws(StateStoreError) {
        try await record(MembershipStep(results: results, at: moment), in: scope)
    }
}

/// A change of one audience's members in one topic.
package struct MembershipStep: Hashable, Sendable {
    /// Verdicts of joining members, which become joined or refused.
    package let results: [MembershipResult]
    /// The time of the last join among them.
    package let moment: Instant
    /// Members that are recorded after the verdicts, whether they were members before or not.
    package let members: [MembershipStatus: [Member]]

    package init(
        results: [MembershipResult] = [],
        at moment: Instant = .earliest,
        members: [MembershipStatus: [Member]] = [:]
    ) {
        self.results = results
        self.moment = moment
        self.members = members.filter { !$0.value.isEmpty }
    }

    package var isEmpty: Bool { results.isEmpty && members.isEmpty }
}

/// The number of each audience's members in each topic, and the last join to each topic.
package struct MembershipOverview: Hashable, Sendable {
    /// By audience, then topic.
    package let summaries: [MembershipSummary]
    /// The last join to each topic, by any audience.
    package let lastJoins: [Topic: Instant]

    package init(summaries: [MembershipSummary], lastJoins: [Topic: Instant]) {
        self.summaries = summaries
        self.lastJoins = lastJoins
    }
}
