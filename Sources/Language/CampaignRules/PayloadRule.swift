import CampaignLoading
import CampaignMessages
import CampaignModel
import Diagnostics

extension Rule {
    /// Checks each campaign's payload on the platform with the largest payload.
    ///
    /// `isBroken` returns whether the payload size for the audience breaks the rule.
    init(
        _ id: RuleID,
        over limit: Int,
        isBroken: @escaping @Sendable (AudienceTarget, Int) -> Bool
    ) {
        self = .ofCampaigns(id) { subject, log in
            guard subject.mayWeigh(over: limit),
                let size = PayloadSize(heaviestOf: subject.campaign),
                isBroken(subject.campaign.target, size.bytes)
            else { return }
            let place = size.weights.first.flatMap { subject.place(of: $0.field.origin) }
            let limit = PayloadLimit(rule: id, bytes: limit)
            log.report(.tooHeavy(subject.campaign, size: size, over: limit, at: place))
        }
    }
}

extension CampaignSubject {
    /// Whether the content for all platforms together exceeds the limit.
    fileprivate func mayWeigh(over limit: Int) -> Bool {
        let deliveryFields = 200
        return survey.bytes + deliveryFields > limit
    }

    fileprivate func place(of origin: FieldOrigin) -> SourceSpan? {
        switch origin {
        case .message(let path): span(at: path)
        case .delivery(.collapse): declaration?.delivery?.value.collapse?.span
        case .delivery: declaration?.delivery?.span
        case .occurrence: nil
        }
    }
}

/// A limit of payloads, and the rule that it belongs to.
private struct PayloadLimit {
    let rule: RuleID
    let bytes: Int
}

extension Diagnostic {
    fileprivate static func tooHeavy(
        _ campaign: Campaign,
        size: PayloadSize,
        over limit: PayloadLimit,
        at place: SourceSpan?
    ) -> Diagnostic {
        let heaviest = size.weights.filter { $0.field.origin != .occurrence }
            .prefix(3).map { "`\($0.field.origin)` \(text($0.bytes))" }
        return Diagnostic(
            rule: limit.rule,
            message:
                "the message of `\(campaign.id)` is \(text(size.bytes - limit.bytes)) too large for "
                + "\(size.platform): \(size.bytes) of \(limit.bytes)",
            span: place,
            label: size.weights.first.map { "`\($0.field.origin)` is the largest field" },
            help: [
                "the largest fields: " + heaviest.joined(separator: ", "),
                "shorten them, or send an ID and let the app fetch the rest",
            ]
        )
    }

    private static func text(_ bytes: Int) -> String { bytes == 1 ? "1 byte" : "\(bytes) bytes" }
}
