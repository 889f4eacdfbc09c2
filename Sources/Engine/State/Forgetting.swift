package import CampaignModel

/// People who are to be erased, by what stands for their registrations.
package struct ForgottenPeople: Hashable, Sendable {
    package let fingerprints: Set<Fingerprint>
    /// The first halves of fingerprints, as people read them.
    package let short: Set<UInt64>

    package init(fingerprints: Set<Fingerprint>, short: Set<UInt64>) {
        self.fingerprints = fingerprints
        self.short = short
    }

    package var count: Int { fingerprints.count + short.count }

    package func contains(_ fingerprint: Fingerprint) -> Bool {
        fingerprints.contains(fingerprint) || short.contains(fingerprint.high)
    }
}

/// Where people were found and erased.
package struct ForgetReport: Hashable, Sendable {
    /// Memberships of them.
    package var members = 0
    /// Places in stored lists.
    package var places = 0
    /// Requests that were still to be sent to them, by occurrence: they are suppressed.
    package var suppressed: [OccurrenceID: Int] = [:]
    /// Requests to them that nobody knows the outcome of: given up.
    package var dropped: [OccurrenceID: Int] = [:]
    package var dead = 0
    /// Places in device groups.
    package var groups = 0
    /// Notes of runs.
    package var problems = 0
    /// The first halves of the fingerprints that were met somewhere.
    package var found: Set<UInt64> = []

    package init() {}
}

extension OutcomeDetail {
    /// Why nothing goes to somebody who is erased.
    package static let forgotten = "forgotten"
}
