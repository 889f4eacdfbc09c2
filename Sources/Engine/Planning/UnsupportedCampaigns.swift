import CampaignModel

extension Planner {
    /// Refuses campaigns that this version does not send in this environment.
    func refuseUnsupported(_ campaign: Campaign) throws(PlanningError) {
        if campaign.encryption != nil, !isFromState, !hasEncryptedState {
            throw .plainState(campaign.id, environment)
        }
        if guards.limits.quietHours != nil, campaign.needsZones { throw .quietZones(campaign.id) }
    }

    /// Whether the environment's state is encrypted; it contains the clear text of messages that are not
    /// sent yet.
    private var hasEncryptedState: Bool {
        project.environment(environment)?.settings.state.encryption != nil
    }
}

extension Campaign {
    /// Whether quiet hours would depend on the zones of recipients that are not known in advance.
    fileprivate var needsZones: Bool {
        timeliness.reasonInQuietHours == nil && target.isReadAtSend && hasZonedRecipients
    }
}
