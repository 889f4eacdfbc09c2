import CampaignLoading
import CampaignModel
import Presentation
import Time

/// Previews of what has the same text for all recipients: corrections, and replies of upstream rules.
struct SinglePreview {
    let project: Project
    let checked: CheckedProject
    let environment: CampaignModel.Environment
    let now: Instant

    /// Nil if the name is that of another campaign, or unknown.
    func preview(named name: String) throws(CommandFailure) -> CampaignPreview? {
        if let correction = project.corrections.first(where: { $0.id.rawValue == name }) {
            return try preview(correction)
        }
        return project.upstream.first { $0.id.rawValue == name }.flatMap { rule in
            rule.replies.flatMap { id in
                CampaignPreview(
                    of: rule,
                    in: project,
                    surveys: checked.surveys,
                    environment: origins(of: id)
                )
            }
        }
    }

    private func preview(_ correction: Correction) throws(CommandFailure) -> CampaignPreview {
        let corrected = correction.corrected.campaign
        guard let campaign = project.campaigns.first(where: { $0.id == corrected }) else {
            throw CommandFailure(.correctedElsewhere(corrected, by: correction.id), exit: .usage)
        }
        let preview = CampaignPreview(
            of: correction,
            correcting: campaign,
            in: project,
            surveys: checked.surveys,
            environment: origins(of: correction.id),
            at: now
        )
        guard let preview else {
            throw CommandFailure(.correctsNothingShown(corrected), exit: .usage)
        }
        return preview
    }

    private func origins(of campaign: CampaignID) -> PreviewEnvironment {
        PreviewEnvironment(
            environment,
            of: project,
            declarations: checked.declarations,
            campaign: campaign
        )
    }
}
