import CampaignMessages
import CampaignModel
import CampaignState
import Scheduling

extension Planner {
    /// Only what is about to be sent or scheduled is worth a word.
    func notices(
        _ campaign: Campaign,
        _ lowering: DeliveryLowering,
        _ step: CampaignStep,
        _ record: OccurrenceRecord?
    ) -> [PlanNotice] {
        var notices = unknownOutcomes(record)
        switch step {
        case .send, .schedule, .reschedule, .redefine: break
        default: return notices
        }
        notices += lowering.notes.map { note in
            switch note {
            case .authorWins(let field): .authorWins(campaign.id, field: field)
            case .dataPriorityOnApple: .dataPriorityOnApple(campaign.id)
            }
        }
        let leftOut = Platform.allCases.filter { campaign.content.kind(on: $0) == .nothing }
        if !leftOut.isEmpty { notices.append(.leavesOut(campaign.id, leftOut)) }
        return notices + clockNotices(campaign)
    }

    private func unknownOutcomes(_ record: OccurrenceRecord?) -> [PlanNotice] {
        guard let record, let unit = record.unit, unit.tally[.unknown] > 0 else { return [] }
        return [.unknownOutcomes(record.id, count: unit.tally[.unknown])]
    }

    private func clockNotices(_ campaign: Campaign) -> [PlanNotice] {
        guard case .at(let moment) = campaign.schedule,
            let rules = try? zones.rules(named: moment.zone)
        else { return [] }
        switch rules.resolve(moment.local) {
        case .unique: return []
        case .skipped(_, let gap):
            return [.skippedLocalTime(campaign.id, moment, gapSeconds: gap)]
        case .doubled: return [.doubledLocalTime(campaign.id, moment)]
        }
    }
}
