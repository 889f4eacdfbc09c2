package import CampaignModel
package import State

/// The result of one occurrence in this run.
package struct SendReport: Hashable, Sendable {
    package let occurrence: OccurrenceID
    package let target: UnitTarget
    /// The outcomes that this run added; remaining requests count as `.intended` and `.returned`.
    package let tally: OutcomeTally
    /// Requests that were not accepted, at most 1,000 of each kind.
    package let rejected: [SendProblem]
    package let unknown: [SendProblem]
    /// Requests that were retried after an unknown outcome: some messages may have arrived twice.
    ///
    /// At most 1,000, with the cause; `repeats` is the total.
    package var repeated: [SendProblem] = []
    package var repeats = 0
    /// Number of suppressed requests whose persons were over the frequency cap.
    package var capped = 0
    /// The suppressed requests to registrations that opted out.
    package var optedOut = 0
    /// The requests to people that are held out, which are suppressed.
    package var heldOut = 0
    /// The suppressed requests of a recall whose message was certainly not received.
    package var notReached = 0
    /// Whether FCM rejected a request for another reason than a dead registration.
    package var hasOtherRejections = false

    package init(
        occurrence: OccurrenceID,
        target: UnitTarget,
        tally: OutcomeTally,
        rejected: [SendProblem],
        unknown: [SendProblem],
        repeated: [SendProblem] = [],
        repeats: Int = 0
    ) {
        self.occurrence = occurrence
        self.target = target
        self.tally = tally
        self.rejected = rejected
        self.unknown = unknown
        self.repeated = repeated
        self.repeats = repeats
    }
}

extension SendReport {
    /// Whether every request was rejected by FCM or suppressed, and not all because of the cap, a hold-out, an
    /// opt-out, or a recall of a message that was not received.
    package var cameToNothing: Bool {
        let excepted = capped + heldOut + optedOut + notReached
        return tally.total > excepted && tally[.rejected] + tally[.suppressed] == tally.total
    }
}

/// One request that was not accepted; the fingerprint is nil for a topic or condition.
package struct SendProblem: Hashable, Sendable {
    package let fingerprint: Fingerprint?
    package let reason: String

    package init(fingerprint: Fingerprint?, reason: String) {
        self.fingerprint = fingerprint
        self.reason = reason
    }
}
