import CampaignLoading
import CampaignMessages
import CampaignModel
import Diagnostics

extension Rule {
    /// Looks at what each campaign weighs on the platform where it weighs most; `isBroken` says
    /// whether so many bytes to its audience break the rule.
    init(
        _ page: RulePage,
        over limit: Int,
        isBroken: @escaping @Sendable (AudienceTarget, Int) -> Bool
    ) {
        self.init(page) { context, log in
            for (wording, size) in context.payloads
            where isBroken(wording.campaign.target, size.bytes) {
                let place = size.weights.first.flatMap {
                    context.place(of: $0.field.origin, in: wording)
                }
                log.report(
                    .tooHeavy(wording.campaign, size, rule: page.id, limit: limit, at: place)
                )
            }
        }
    }
}

extension RuleContext {
    fileprivate func place(of origin: FieldOrigin, in wording: Wording) -> SourceSpan? {
        let declaration = declaration(of: wording.campaign)
        return switch origin {
        case .message(let path): wording.message?.span(at: path)
        case .delivery(.collapse): declaration?.delivery?.value.collapse?.span
        case .delivery: declaration?.delivery?.span
        }
    }
}

extension Diagnostic {
    fileprivate static func tooHeavy(
        _ campaign: Campaign,
        _ size: PayloadSize,
        rule: RuleID,
        limit: Int,
        at place: SourceSpan?
    ) -> Diagnostic {
        let heaviest = size.weights.prefix(3).map { "`\($0.field.origin)` \(text($0.bytes))" }
        return Diagnostic(
            rule: rule,
            message: "the message of `\(campaign.id)` is \(text(size.bytes - limit)) too large for "
                + "\(size.platform): \(size.bytes) of \(limit)",
            span: place,
            label: size.weights.first.map { "`\($0.field.origin)` weighs most" },
            help: [
                "the largest fields: " + heaviest.joined(separator: ", "),
                "shorten them, or send an id and let the app fetch the rest",
            ]
        )
    }

    private static func text(_ bytes: Int) -> String { bytes == 1 ? "1 byte" : "\(bytes) bytes" }
}
