import CampaignModel

/// The guards of a send to a list that is read when the send begins: they depend on its size.
package struct GuardsAtSend: Hashable, Sendable {
    private let campaign: CampaignID
    private let recipients: RecipientLimit?
    private let shrinking: ShrinkingLimit?
    private let basis: GuardBasis

    /// The guards that can refuse a list.
    package static let all: Set<Guard> = [.maxRecipients, .shrunkList, .maxSendsPerRun]

    /// `last`: the size of the previous list of the campaign, if it is known.
    init(for campaign: Campaign, after last: Int?, in project: Project, basis: GuardBasis) {
        self.campaign = campaign.id
        recipients = RecipientLimit(for: campaign, basis: basis)
        shrinking = ShrinkingLimit(for: campaign, after: last, in: project, basis: basis)
        self.basis = basis
    }

    /// Asks the guards about the list.
    ///
    /// - Parameters:
    ///   - count: The number of its registrations.
    ///   - sends: The number of messages that the run sends, including those to this list.
    /// - Returns: The outcomes, in the order of the guards.
    package func outcomes(count: Int, sends: Int) -> [GuardOutcome] {
        let verdicts: [(guard: Guard, verdict: GuardVerdict?)] = [
            (.maxRecipients, recipients?.verdict(on: count)),
            (.shrunkList, shrinking?.verdict(on: count)),
            (.maxSendsPerRun, basis.verdict(onSends: sends)),
        ]
        return verdicts.compactMap { found in
            found.verdict.map {
                GuardOutcome(found.guard, subject: .campaign(campaign), verdict: $0)
            }
        }
    }
}

extension GuardBasis {
    /// Returns the verdict on the number of messages of a run; nil if it is within the limit.
    func verdict(onSends count: Int) -> GuardVerdict? {
        guard let maximum = limits.maximumSends, count > maximum else { return nil }
        return verdict(on: .maxSendsPerRun, refusal: .tooManySends(count, maximum: maximum))
    }
}
