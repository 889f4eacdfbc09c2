package import CampaignModel

extension Planner {
    /// Nothing goes out without what its campaign says: the loader points at such keys, and the
    /// planner does not rely on that.
    func refuseUnbuilt(_ campaign: Campaign) throws(PlanningError) {
        let keys = campaign.unbuiltKeys
        guard keys.isEmpty else { throw .notBuilt(campaign.id, keys: keys) }
    }
}

extension Campaign {
    /// What it says that this version would not act on.
    package var unbuiltKeys: [String] {
        let found: [(key: String, isThere: Bool)] = [
            ("registrations", isToDescribedList),
            ("during_quiet_hours", timeliness.reasonInQuietHours != nil),
            ("variants", !variants.isEmpty), ("locales", !localizations.isEmpty),
            ("holdout", policy.holdOut != nil), ("rollout", policy.rollout != nil),
        ]
        return found.filter(\.isThere).map(\.key)
    }

    private var isToDescribedList: Bool {
        if case .registrations(.described) = target { true } else { false }
    }
}
