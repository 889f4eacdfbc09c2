package import CampaignModel

extension UpstreamRule {
    /// The campaign as which replies are sent, to a list without rows; nil without a reply.
    package var replyCampaign: Campaign? {
        guard let content = actions.reply, let id = replies else { return nil }
        return Campaign(
            id: id,
            about: about,
            owner: nil,
            target: .registrations(.inline([])),
            audience: nil,
            content: content,
            delivery: .unspecified,
            schedule: .immediate
        )
    }

    /// The message of a reply, without the key of its occurrence; nil without a reply.
    package var replyTemplate: MessageTemplate? { replyCampaign.map { MessageTemplate(of: $0) } }
}
