import CampaignMessages
package import CampaignModel
package import JSON
import State

/// Upstream rules that reply.
///
/// The apply that records the definition of a reply brings its text into force. Until then, a message gets the text
/// of the last apply, or no reply.
extension Planner {
    /// Plans the selected rules that reply, in the order of the files.
    func planReplies(_ applied: AppliedState) -> [PlannedCampaign] {
        replyingRules(applied).compactMap { rule in
            guard let id = rule.replies, let content = rule.replyDefinition,
                selection.includes(id)
            else { return nil }
            let recorded = applied.definitions[id]?.content
            guard recorded != content else {
                let action = CampaignAction(campaign: id, step: .unchanged, about: rule.about)
                return PlannedCampaign(actions: [action], notices: [], reviewed: nil)
            }
            let action = CampaignAction(
                campaign: id,
                step: .answer(rule),
                definition: CampaignDefinition(campaign: id, content: content),
                changes: recorded.map { FieldChange.changes(from: $0, to: content) } ?? [],
                template: rule.replyTemplate,
                about: rule.about,
                recorded: recorded
            )
            return PlannedCampaign(
                actions: [action],
                notices: [],
                reviewed: ReviewedCampaign(answering: id, content: content)
            )
        }
    }

    /// The rules that reply and whose names have no open sends.
    ///
    /// Otherwise, the name was that of a campaign, whose sends are cancelled first.
    func replyingRules(_ applied: AppliedState) -> [UpstreamRule] {
        let rules = project.upstream.filter { $0.actions.reply != nil }
        guard !rules.isEmpty else { return [] }
        let open = Set(applied.occurrences.values.filter(\.isOpen).map(\.id.campaign))
        return rules.filter { rule in rule.replies.map { !open.contains($0) } ?? false }
    }

    /// How many registrations get a reply from the next run, by rule.
    var replyNotices: [PlanNotice] {
        var counts: [CampaignID: Int] = [:]
        for case .reply(let replies) in pending {
            counts[replies.occurrence.campaign, default: 0] += replies.registrations.count
        }
        return counts.sorted { $0.key < $1.key }.map { .replies($0.key, count: $0.value) }
    }
}

extension UpstreamRule {
    /// What the state records of the reply once it was applied; nil without a reply.
    package var replyDefinition: JSONValue? {
        guard let reply = actions.reply, let match = stored["match"] else { return nil }
        return [
            "upstream": .string(id.rawValue), "match": match, "message": .object(reply.fields),
        ]
    }

    /// The rule with only the reply that the state records; nil if it is unreadable.
    package init?(replyDefinition content: JSONValue) {
        guard let name = content["upstream"], let match = content["match"],
            let message = content["message"]
        else { return nil }
        self.init(
            stored: [
                "upstream": name, "match": match, "opt_out": false, "subscribe": [],
                "unsubscribe": [], "reply": message,
            ]
        )
        guard actions.reply != nil else { return nil }
    }
}
