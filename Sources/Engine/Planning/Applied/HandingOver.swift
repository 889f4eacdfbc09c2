package import CampaignModel
import State

/// Why a service cannot send a campaign.
package enum HandOverObstacle: Hashable, Sendable {
    /// The token of a Live Activity is a secret that the state does not store.
    case liveActivityToken
    /// The list is read when the send begins, and is the output of a source.
    case source(ListSourceID)
    /// The list is read when the send begins, and the campaign contains a part of it.
    case inlineList

    /// Nil if a service can send the campaign.
    init?(of campaign: Campaign) {
        if !AppliedCampaign.isStorable(campaign) {
            self = .liveActivityToken
        } else if case .registrations(let list) = campaign.target, list.isReadAtSend {
            if let source = list.sources.first {
                self = .source(source)
            } else if list.definition == nil {
                self = .inlineList
            } else {
                return nil
            }
        } else {
            return nil
        }
    }
}

/// Sends that an apply leaves to a service.
extension Planner {
    /// Whether a service sends what is due: `sends: run` of the environment.
    var handsOver: Bool {
        !isFromState && project.environment(environment)?.settings.sends == .run
    }

    /// Hands a send over, unless an earlier apply did.
    func handOver(
        _ send: SendStep,
        of history: CampaignHistory
    ) throws(PlanningError) -> CampaignStep {
        guard let record = history.record(send.occurrence), record.status == .scheduled else {
            return .handOver(send)
        }
        let isSame =
            switch history.campaign.schedule {
            case .immediate: record.due <= now
            case .at, .repeating: record.due == send.due
            }
        guard isSame else { return .handOver(send) }
        let due = try dueTimes(of: history.campaign).scheduled(record.due)
        return history.isChanged ? .redefine(send.occurrence, due) : .unchanged
    }

    /// Refuses a campaign that neither this apply nor a service would send.
    ///
    /// `schedules`: whether the plan schedules it or hands it over.
    func refuseUnsendable(_ campaign: Campaign, schedules: Bool) throws(PlanningError) {
        guard handsOver, schedules, let obstacle = HandOverObstacle(of: campaign) else { return }
        throw .notHandedOver(campaign.id, obstacle)
    }

    /// Leaves sends that have started to the service, which resumes them.
    ///
    /// A person must decide about those that remain.
    func leavingToService(_ steps: [CampaignStep]) -> [CampaignStep] {
        handsOver ? steps.filter { $0.isStopped || $0.isHeld } : steps
    }
}
