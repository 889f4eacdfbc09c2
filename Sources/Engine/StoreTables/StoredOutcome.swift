package import CampaignModel
package import State

/// An outcome as a stored byte, with the details that many requests of a list have.
///
/// Other details are rows of `outcome_details`.
package struct StoredOutcome: Hashable, Sendable {
    package let outcome: Outcome
    /// Nil if the outcome has no detail, or if `outcome_details` has it.
    package let detail: String?

    /// The outcomes with details, by their bytes, which fit in four bits.
    private static let detailed: [(byte: UInt8, stored: StoredOutcome)] = [
        (8, StoredOutcome(.suppressed, detail: OutcomeDetail.dead)),
        (9, StoredOutcome(.suppressed, detail: OutcomeDetail.cap)),
        (10, StoredOutcome(.suppressed, detail: OutcomeDetail.forgotten)),
        (11, StoredOutcome(.rejected, detail: "UNREGISTERED")),
        (12, StoredOutcome(.suppressed, detail: OutcomeDetail.holdOut)),
        (13, StoredOutcome(.suppressed, detail: OutcomeDetail.notReached)),
        (14, StoredOutcome(.suppressed, detail: OutcomeDetail.optOut)),
    ]

    private init(_ outcome: Outcome, detail: String?) {
        self.outcome = outcome
        self.detail = detail
    }

    /// The part of an outcome that a byte contains.
    package init(_ outcome: RequestOutcome) {
        let whole = StoredOutcome(outcome.outcome, detail: outcome.detail)
        let isDetailed = Self.detailed.contains { $0.stored == whole }
        self = isDetailed ? whole : StoredOutcome(outcome.outcome, detail: nil)
    }

    /// Nil if a byte is not an outcome.
    package init?(byte: UInt8) {
        if let outcome = Outcome(rawValue: byte) {
            self.init(outcome, detail: nil)
        } else if let found = Self.detailed.first(where: { $0.byte == byte }) {
            self = found.stored
        } else {
            return nil
        }
    }

    package var byte: UInt8 {
        guard detail != nil else { return outcome.rawValue }
        return Self.detailed.first { $0.stored == self }?.byte ?? outcome.rawValue
    }
}
