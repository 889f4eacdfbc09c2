package import CampaignModel

/// The fingerprints of registrations to erase.
package struct ErasureRequest: Hashable, Sendable {
    package let fingerprints: Set<Fingerprint>
    /// The first halves of fingerprints, as output shows them.
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

/// The records that were found and erased.
package struct ForgetReport: Hashable, Sendable {
    /// Number of memberships.
    package var members = 0
    /// Number of positions in stored lists.
    package var places = 0
    /// Number of unsent requests by occurrence: they are suppressed.
    package var suppressed: [OccurrenceID: Int] = [:]
    /// Number of requests with an unknown outcome: given up.
    package var dropped: [OccurrenceID: Int] = [:]
    package var dead = 0
    /// Number of opt-outs, exclusions from topics, members and answers that messages of devices caused.
    package var upstream = 0
    /// Number of positions in the people of lists and fan-outs, which frequency caps count.
    package var contacts = 0
    /// Number of places in device groups.
    package var groups = 0
    /// Number of problems of runs.
    package var problems = 0
    /// The first halves of the fingerprints that were found.
    package var found: Set<UInt64> = []

    package init() {}
}

extension OutcomeDetail {
    /// The reason for skipping an erased registration.
    package static let forgotten = "forgotten"
}
