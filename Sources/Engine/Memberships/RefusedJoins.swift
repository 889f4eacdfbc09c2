package import CampaignModel
package import State

/// The refused joins that a user names.
package enum RefusedJoinSelection: Hashable, Sendable {
    case audience(AudienceID)
    /// Registrations, in every audience; `short` contains the first halves of fingerprints, as
    /// output shows them.
    case registrations(Set<Fingerprint>, short: Set<UInt64>)

    func contains(_ fingerprint: Fingerprint, in scope: MembershipScope) -> Bool {
        switch self {
        case .audience(let audience): scope.audience == audience
        case .registrations(let whole, let short):
            whole.contains(fingerprint) || short.contains(fingerprint.high)
        }
    }
}

/// The selected refused joins of one audience to one topic.
package struct RefusedJoins: Hashable, Sendable {
    package let scope: MembershipScope
    /// The members whose joins can be tried again, sorted.
    package let fingerprints: [Fingerprint]
    /// Number of dead registrations among the selected ones; no plan contains their joins.
    package let dead: Int

    package init(
        _ selection: RefusedJoinSelection,
        among members: [Membership],
        in scope: MembershipScope,
        dead: DeadRegistrations
    ) {
        let selected = members.filter {
            $0.status == .refused && selection.contains($0.fingerprint, in: scope)
        }.map(\.fingerprint)
        self.scope = scope
        fingerprints = selected.filter { !dead.contains($0) }
        self.dead = selected.count - fingerprints.count
    }
}

/// Finds refused joins, and puts them back to intended.
///
/// An intended join has no record: the next plan contains it like the join of a new registration,
/// and before the request Herald queries FCM whether the app has subscribed on its own.
package struct RefusedJoinBook: Sendable {
    private let store: any MembershipBook & DeadRegistrationStore

    package init(_ store: any MembershipBook & DeadRegistrationStore) {
        self.store = store
    }

    /// Returns the selected refused joins, by audience and topic; no element is empty.
    package func joins(
        _ selection: RefusedJoinSelection
    ) async throws(StateStoreError) -> [RefusedJoins] {
        let dead = try await store.deadRegistrations()
        var found: [RefusedJoins] = []
        for summary in try await store.membershipOverview().summaries
        where summary[.refused] > 0 {
            let joins = RefusedJoins(
                selection,
                among: try await refusedMembers(of: summary),
                in: summary.scope,
                dead: dead
            )
            if !joins.fingerprints.isEmpty || joins.dead > 0 { found.append(joins) }
        }
        return found
    }

    /// Returns the refused members, reading the others only in parts.
    private func refusedMembers(
        of summary: MembershipSummary
    ) async throws(StateStoreError) -> [Membership] {
        var refused: [Membership] = []
        for part in FingerprintPart.parts(of: summary.count, dividedBy: Self.partSize) {
            refused += try await store.records(in: summary.scope, part: part).members()
                .filter { $0.status == .refused }
        }
        return refused
    }

    private static let partSize = 524_288

    /// Removes the records of refused joins; the caller holds the write lock.
    package func putBack(_ joins: [RefusedJoins]) async throws(StateStoreError) {
        for joins in joins where !joins.fingerprints.isEmpty {
            try await store.finishLeave(
                joins.fingerprints.map { MembershipResult(fingerprint: $0, verdict: .done) },
                in: joins.scope
            )
        }
    }
}
