import CampaignLoading
import CampaignMessages
import CampaignModel
import Diagnostics
import RegistrationLists

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
            let row = subject.longestRow
            guard row != nil || subject.mayWeigh(over: limit),
                let size = PayloadSize(heaviestOf: subject.campaign),
                isBroken(subject.campaign.target, row?.bytes ?? size.bytes)
            else { return }
            let place = size.weights.first.flatMap { subject.place(of: $0.field.origin) }
            let limit = PayloadLimit(rule: id, bytes: limit)
            log.report(
                row.map { .tooHeavy(subject.campaign, in: $0, over: limit, at: place) }
                    ?? .tooHeavy(subject.campaign, size: size, over: limit, at: place)
            )
        }
    }
}

extension CampaignSubject {
    /// The row with the largest payload, if the message contains values of the list.
    fileprivate var longestRow: MessageSurvey.Longest? {
        guard case .registrations(let list) = campaign.target,
            let columns = context.project.columns(of: whole),
            let number = columns.number(of: key),
            case .success(let survey)? = context.surveys[list]
        else { return nil }
        return survey[columns]?.longestOfTexts[number]
    }

    /// Whether the content for all platforms together exceeds the limit.
    fileprivate func mayWeigh(over limit: Int) -> Bool {
        if campaign.encryption != nil { return true }
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

extension MessageColumns {
    /// The number of a text; nil if it contains no values.
    fileprivate func number(of key: TextKey) -> Int? {
        guard let allTexts else { return names.isEmpty && times == nil ? nil : 0 }
        guard let number = allTexts.firstIndex(where: { $0.key == key }),
            allTexts[number].uses.contains(true)
        else { return nil }
        return number
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

    fileprivate static func tooHeavy(
        _ campaign: Campaign,
        in row: MessageSurvey.Longest,
        over limit: PayloadLimit,
        at place: SourceSpan?
    ) -> Diagnostic {
        var list = row.path ?? "the list"
        if case .registrations(let named) = campaign.target, let path = named.path { list = path }
        return Diagnostic(
            rule: limit.rule,
            message:
                "the message of `\(campaign.id)` is \(text(row.bytes - limit.bytes)) too large for "
                + "\(row.platform) in the row at \(list):\(row.line): \(row.bytes) of "
                + "\(limit.bytes)",
            span: place,
            label: "the largest field",
            help: ["shorten the text or the values of the list, or send an ID instead"]
        )
    }

    private static func text(_ bytes: Int) -> String { bytes == 1 ? "1 byte" : "\(bytes) bytes" }
}
