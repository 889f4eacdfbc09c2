import CampaignModel

/// The limit of recipients for one campaign.
struct RecipientLimit: Hashable, Sendable {
    let maximum: Int
    /// What the campaign acknowledges.
    let acknowledgement: Acknowledgement?
    let basis: GuardBasis

    /// Nil if there is no limit.
    init?(for campaign: Campaign, basis: GuardBasis) {
        guard let maximum = basis.limits.maximumRecipients else { return nil }
        self.maximum = maximum
        acknowledgement = campaign.policy.acknowledgement
        self.basis = basis
    }

    /// Decides about a number of recipients; nil if it is within the limit.
    ///
    /// If the reach is unknown, any acknowledgement above the maximum is valid.
    func verdict(on count: Int?) -> GuardVerdict? {
        guard count.map({ $0 > maximum }) ?? true else { return nil }
        let acknowledged = acknowledgement?.reach
        let refusal: GuardRefusal =
            count.map {
                .tooManyRecipients($0, maximum: maximum, acknowledged: acknowledged)
            } ?? .unknownReach(maximum: maximum)
        if let acknowledgement, let acknowledged, acknowledged >= count ?? maximum + 1 {
            return .acknowledged(refusal, reason: acknowledgement.reason)
        }
        return basis.verdict(on: .maxRecipients, refusal: refusal)
    }
}

/// The limit for how much shorter than before a campaign's list may be.
struct ShrinkingLimit: Hashable, Sendable {
    let maximum: Percentage
    /// The size of the previous list.
    let last: Int
    /// What the campaign and its audience acknowledge.
    let accepted: [ChangeAcknowledgement]
    let basis: GuardBasis

    /// Nil if there is no limit, or no list to compare with.
    init?(
        for campaign: Campaign,
        after last: Int?,
        in project: Project,
        basis: GuardBasis
    ) {
        guard let maximum = basis.limits.maximumChange, let last, last >= GuardReview.smallest
        else { return nil }
        self.maximum = maximum
        self.last = last
        accepted = [
            campaign.policy.acknowledgement?.ofChange,
            campaign.audience.flatMap(project.acknowledgement),
        ].compactMap(\.self)
        self.basis = basis
    }

    /// Decides about the size of the list; nil if it is within the limit.
    func verdict(on count: Int) -> GuardVerdict? {
        guard maximum.isExceeded(by: last - count, of: last) else { return nil }
        return basis.verdict(
            on: .shrunkList,
            refusal: .shrunkList(from: last, to: count, maximum: maximum),
            of: last - count,
            accepted: accepted
        )
    }
}

extension Project {
    /// What an audience says about changes of its list.
    func acknowledgement(of audience: AudienceID) -> ChangeAcknowledgement? {
        audiences.first { $0.id == audience }?.acknowledgement
    }
}

extension GuardBasis {
    /// Returns the verdict on a change of `count` registrations, which any of the acknowledgements
    /// may accept.
    func verdict(
        on guard: Guard,
        refusal: GuardRefusal,
        of count: Int,
        accepted: [ChangeAcknowledgement]
    ) -> GuardVerdict {
        let acknowledgement = accepted.first { $0.change >= count }
        if let acknowledgement {
            return .acknowledged(refusal, reason: acknowledgement.reason)
        }
        return verdict(on: `guard`, refusal: refusal)
    }
}

extension Percentage {
    /// Whether a part exceeds this share of a whole, calculated exactly.
    func isExceeded(by part: Int, of whole: Int) -> Bool {
        part * 10_000 > basisPoints * whole
    }
}
