package import CampaignModel

extension Planner {
    /// Refuses campaigns with keys that this version does not support.
    ///
    /// The loader reports these keys, but the planner does not depend on that.
    func refuseUnbuilt(_ campaign: Campaign) throws(PlanningError) {
        let keys = campaign.unbuiltKeys
        guard keys.isEmpty else { throw .notBuilt(campaign.id, keys: keys) }
        if guards.limits.quietHours != nil, campaign.needsZones { throw .quietZones(campaign.id) }
    }
}

extension Campaign {
    /// The campaign's keys that this version does not support.
    package var unbuiltKeys: [String] {
        let found: [(key: String, isThere: Bool)] = [
            ("public_key", hasPublicKeys)
        ]
        return found.filter(\.isThere).map(\.key)
    }

    /// Whether quiet hours would depend on the zones of recipients that are not known in advance.
    fileprivate var needsZones: Bool {
        timeliness.reasonInQuietHours == nil && target.isReadAtSend && hasZonedRecipients
    }

    private var hasPublicKeys: Bool { list?.hasPublicKeys ?? false }

    private var list: RegistrationList? {
        if case .registrations(let list) = target { list } else { nil }
    }
}
