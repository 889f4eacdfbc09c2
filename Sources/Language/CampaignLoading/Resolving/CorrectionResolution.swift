import CampaignModel
import Diagnostics
import JSON

/// Campaigns that correct other campaigns.
extension ProjectResolver {
    /// Returns the corrections; those with errors were reported and are omitted.
    mutating func resolveCorrections() -> [Correction] {
        let declared = declarations.campaigns.filter { $0.value.corrects != nil }.map(\.value)
        guard !declared.isEmpty else { return [] }
        let names = CorrectableCampaigns(declarations, elsewhere: elsewhere)
        var corrected = CorrectedNames()
        var seen: Set<CampaignID> = []
        return declared.compactMap { declaration -> Correction? in
            guard let text = text(of: declaration), let id = declaration.campaign,
                seen.insert(id.value).inserted, let name = declaration.corrects,
                check(name, among: names), corrected.add(name, reportingTo: &log)
            else { return nil }
            return Correction(
                id: id.value,
                about: declaration.about?.value,
                owner: declaration.owner?.value,
                labels: declaration.resolvedLabels,
                corrected: name.value,
                message: text
            )
        }
    }

    /// Whether the campaign exists, and is not a correction.
    private mutating func check(
        _ name: Spanned<CorrectedSend>,
        among campaigns: CorrectableCampaigns
    ) -> Bool {
        let campaign = Spanned(name.value.campaign, at: name.span)
        if case .occurrence(let id) = name.value, id.slot.isRecall {
            log.report(.correctedRecall(id, at: name.span))
            return false
        }
        if let other = campaigns.corrections[campaign.value] {
            log.report(.correctedCorrection(campaign, of: other))
            return false
        }
        let text = campaign.value.rawValue
        if campaigns.areKnown, !campaigns.names.contains(text),
            !declarations.doubtfulNames.contains(text)
        {
            let written = campaigns.names.filter { name in
                !campaigns.corrections.keys.contains { $0.rawValue == name }
            }
            log.report(.unknownCampaign(campaign, among: written))
            return false
        }
        return true
    }

    /// Returns what the correction shows; nil if it was reported.
    private mutating func text(of declaration: CampaignDeclaration) -> RecallMessage? {
        guard let message = declaration.message?.value else { return nil }
        let errors = log.errorCount
        let texts = message.fields["notification"]?.objectValue ?? JSONObject()
        for key in message.fields.members.map(\.key) where key != "notification" {
            log.report(.moreThanText([key], in: message))
        }
        for key in texts.members.map(\.key) where !["title", "body"].contains(key) {
            log.report(.moreThanText(["notification", key], in: message))
        }
        let title = texts["title"]?.stringValue
        let body = texts["body"]?.stringValue
        for (key, text) in [("title", title), ("body", body)] where text?.contains("{{") == true {
            guard let span = message.span(at: ["notification", key]) else { continue }
            log.report(.placeholderInRecall(at: span))
        }
        if title == nil, body == nil, errors == log.errorCount, let span = declaration.message?.span
        {
            log.report(.correctionWithoutText(at: span))
        }
        return errors == log.errorCount ? .notification(title: title, body: body) : nil
    }
}

/// The names of campaigns, and which of them are corrections.
private struct CorrectableCampaigns {
    let names: [String]
    /// The campaigns that correct others, with what they correct.
    let corrections: [CampaignID: CorrectedSend]
    /// Whether the name of every campaign could be read.
    let areKnown: Bool

    init(_ declarations: Declarations, elsewhere: [CampaignID]) {
        let documents = declarations.campaigns
        let named = documents.compactMap { $0.value.campaign?.value }
        names = (named + elsewhere).map(\.rawValue)
        areKnown = named.count == documents.count && !declarations.areAudiencesDoubtful
        corrections = Dictionary(
            documents.compactMap { document in
                guard let id = document.value.campaign, let name = document.value.corrects else {
                    return nil
                }
                return (id.value, name.value)
            },
            uniquingKeysWith: { first, _ in first }
        )
    }
}

/// Finds campaigns that are corrected twice.
private struct CorrectedNames {
    private var places: [CampaignID: SourceSpan] = [:]

    mutating func add(
        _ name: Spanned<CorrectedSend>,
        reportingTo log: inout DiagnosticLog
    ) -> Bool {
        if let first = places[name.value.campaign] {
            log.report(.correctedTwice(name, first: first))
            return false
        }
        places[name.value.campaign] = name.span
        return true
    }
}

extension Diagnostic {
    fileprivate static func correctedRecall(_ id: OccurrenceID, at span: SourceSpan) -> Diagnostic {
        let sent = id.recalled ?? id
        return Diagnostic(
            rule: .conflictingKeys,
            message: "`\(id)` is a recall, which cannot be corrected",
            span: span,
            label: "a recall",
            help: ["send a new campaign: `\(sent)` can be taken back only once"]
        )
    }

    fileprivate static func correctedCorrection(
        _ campaign: Spanned<CampaignID>,
        of corrected: CorrectedSend
    ) -> Diagnostic {
        Diagnostic(
            rule: .conflictingKeys,
            message: "`\(campaign.value)` is a correction, which cannot be corrected",
            span: campaign.span,
            label: "corrects `\(corrected)`",
            help: ["send a new campaign: a message can be taken back only once"]
        )
    }

    fileprivate static func correctedTwice(
        _ name: Spanned<CorrectedSend>,
        first: SourceSpan
    ) -> Diagnostic {
        Diagnostic(
            rule: .conflictingKeys,
            message: "two campaigns correct `\(name.value.campaign)`",
            span: name.span,
            label: "the second of the two",
            related: [RelatedPlace(span: first, message: "the first")],
            help: ["remove one of them; the history keeps what the first one did"]
        )
    }

    fileprivate static func moreThanText(
        _ path: [String],
        in message: MessageDeclaration
    ) -> Diagnostic {
        Diagnostic(
            rule: .conflictingKeys,
            message: "a correction cannot have `\(path.joined(separator: "."))` in its message",
            span: message.keySpan(at: path),
            label: "taken from the message that it replaces",
            help: ["remove it: a correction has only `notification.title` and `notification.body`"]
        )
    }

    fileprivate static func correctionWithoutText(at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .missingKey,
            message: "a correction needs a text",
            span: span,
            label: "shows nothing",
            help: ["write `message: { notification: { title: TITLE, body: TEXT } }`"]
        )
    }
}
