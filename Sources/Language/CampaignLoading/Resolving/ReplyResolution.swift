import CampaignModel
import Diagnostics
import JSON

/// The replies of upstream rules.
extension ProjectResolver {
    /// Reports a reply that would never be sent, has no content, or differs between registrations.
    mutating func checkReply(of declared: UpstreamDeclaration) {
        guard let reply = declared.reply else { return }
        if let optOut = declared.optOut, optOut.value {
            log.report(.repliesToOptedOut(at: reply.span, optOut: optOut.span))
        }
        if !Self.hasContent(reply.value) { log.report(.emptyReply(at: reply.span)) }
        for path in JSONValue.object(reply.value.fields).placeholders {
            log.report(.placeholderInReply(at: reply.value.span(at: path) ?? reply.span))
        }
        guard let id = declared.upstream else { return }
        let name = id.value.rawValue
        let campaigns = declarations.campaigns.compactMap(\.value.campaign)
        if let campaign = campaigns.first(where: { $0.value.rawValue == name }) {
            log.report(.namedLikeCampaign(id, campaign: campaign.span))
        }
    }

    private static func hasContent(_ message: MessageDeclaration) -> Bool {
        ["notification", "data", "android", "apns", "webpush"].contains { key in
            message.fields[key]?.objectValue?.members.isEmpty == false
        }
    }
}

extension JSONValue {
    /// The paths of the texts with `{{`.
    fileprivate var placeholders: [[String]] {
        switch self {
        case .string(let text): text.contains("{{") ? [[]] : []
        case .array(let values):
            values.enumerated().flatMap { number, value in
                value.placeholders.map { ["\(number)"] + $0 }
            }
        case .object(let object):
            object.members.flatMap { member in
                member.value.placeholders.map { [member.key] + $0 }
            }
        default: []
        }
    }
}

extension Diagnostic {
    fileprivate static func repliesToOptedOut(
        at span: SourceSpan,
        optOut: SourceSpan
    ) -> Diagnostic {
        Diagnostic(
            rule: .conflictingKeys,
            message: "`reply` has no effect: nothing is sent to a registration that opted out",
            span: span,
            label: "is never sent",
            related: [RelatedPlace(span: optOut, message: "opts out")],
            help: ["remove one of them"]
        )
    }

    fileprivate static func emptyReply(at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .missingKey,
            message: "the reply has no content",
            span: span,
            label: "needs `notification` or `data`",
            help: ["write `reply: { notification: { title: TITLE, body: TEXT } }`"]
        )
    }

    fileprivate static func placeholderInReply(at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .unrenderedPlaceholder,
            message: "the text of a reply cannot have placeholders",
            span: span,
            label: "is the same for all registrations",
            help: ["write a text without `{{`"]
        )
    }

    fileprivate static func namedLikeCampaign(
        _ rule: Spanned<UpstreamRuleID>,
        campaign: SourceSpan
    ) -> Diagnostic {
        Diagnostic(
            rule: .duplicateName,
            message: "the rule `\(rule.value)` has the name of a campaign",
            span: rule.span,
            label: "replies are recorded under this name",
            related: [RelatedPlace(span: campaign, message: "the campaign")],
            help: ["change one of the names"]
        )
    }
}
