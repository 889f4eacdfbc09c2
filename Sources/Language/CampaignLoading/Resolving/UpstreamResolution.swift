import CampaignModel
import Diagnostics
import Text

extension ProjectResolver {
    /// Returns the rules for messages of devices in the order of the files.
    mutating func resolveUpstream(
        _ topics: [Topic: TopicDescription]?
    ) -> [UpstreamRule] {
        var rules: [UpstreamRule] = []
        var seen = NameTable()
        for audience in declarations.audiences {
            // A name that is used twice was reported.
            guard let name = audience.value.audience else { continue }
            var unreported = DiagnosticLog()
            _ = seen.add(
                name.value.rawValue,
                as: "audience",
                at: name.span,
                reportingTo: &unreported
            )
        }
        for document in declarations.upstream {
            let declared = document.value
            for topic in (declared.subscribe?.value ?? []) + (declared.unsubscribe?.value ?? []) {
                check(topic, among: topics)
            }
            checkCampaign(of: declared)
            checkReply(of: declared)
            checkActions(of: document)
            guard let id = declared.upstream, let match = declared.match?.value.resolved else {
                continue
            }
            let name = id.value.rawValue
            guard seen.add(name, as: "upstream rule", at: id.span, reportingTo: &log) else {
                continue
            }
            rules.append(
                UpstreamRule(
                    id: id.value,
                    about: declared.about?.value,
                    match: match,
                    actions: declared.actions
                )
            )
        }
        return rules
    }

    private mutating func checkActions(of document: Spanned<UpstreamDeclaration>) {
        let declared = document.value
        if let match = declared.match, match.value.resolved.isEmpty, !match.value.isDoubtful {
            log.report(.matchesEverything(at: match.span))
        }
        if declared.lacksActions {
            log.report(.withoutAction(at: declared.upstream?.span ?? document.span))
        }
        let left = Dictionary(
            (declared.unsubscribe?.value ?? []).map { ($0.value, $0.span) },
            uniquingKeysWith: { first, _ in first }
        )
        for topic in declared.subscribe?.value ?? [] {
            guard let other = left[topic.value] else { continue }
            log.report(.joinsAndLeaves(topic, other: other))
        }
        if let subscribe = declared.subscribe, let optOut = declared.optOut, optOut.value {
            log.report(.subscribesOptedOut(at: subscribe.span, optOut: optOut.span))
        }
    }

    /// A campaign of another environment is known, too.
    private mutating func checkCampaign(of declared: UpstreamDeclaration) {
        guard let campaign = declared.campaign, !declarations.areAudiencesDoubtful else { return }
        let names = declarations.campaigns.compactMap { $0.value.campaign?.value }
        guard names.count == declarations.campaigns.count,
            !(names + elsewhere).contains(campaign.value),
            !declarations.doubtfulNames.contains(campaign.value.rawValue)
        else { return }
        log.report(.unknownAnsweredCampaign(campaign, among: (names + elsewhere).map(\.rawValue)))
    }
}

extension UpstreamDeclaration {
    fileprivate var lacksActions: Bool {
        subscribe == nil && unsubscribe == nil && optOut?.value != true && event == nil
            && append == nil && reply == nil
    }

    fileprivate var actions: UpstreamActions {
        UpstreamActions(
            subscribe: subscribe?.value.map(\.value) ?? [],
            unsubscribe: unsubscribe?.value.map(\.value) ?? [],
            optsOut: optOut?.value ?? false,
            event: event.flatMap { event in
                campaign.map { UpstreamEvent(name: event.value.rawValue, campaign: $0.value) }
            },
            append: append?.value,
            reply: reply.map { MessageContent(fields: $0.value.fields) }
        )
    }
}

extension UpstreamMatchDeclaration {
    fileprivate var resolved: UpstreamMatch {
        let pairs = (data?.value ?? []).compactMap { entry in
            entry.content.map { (entry.name.value, $0) }
        }
        return UpstreamMatch(
            category: category?.value,
            data: Dictionary(pairs, uniquingKeysWith: { first, _ in first })
        )
    }
}

extension UpstreamMatch {
    fileprivate var isEmpty: Bool { category == nil && data.isEmpty }
}

extension Diagnostic {
    fileprivate static func matchesEverything(at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .missingKey,
            message: "`match` has no condition, so the rule would apply to every message",
            span: span,
            label: "needs `category` or `data`",
            help: ["write the app's `category`, or a pair of `data`"]
        )
    }

    fileprivate static func withoutAction(at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .missingKey,
            message: "this rule does nothing",
            span: span,
            label: "has no action",
            help: [
                "add `opt_out: true`, `subscribe`, `unsubscribe`, `event` with `campaign`, `append` or "
                    + "`reply`"
            ]
        )
    }

    fileprivate static func joinsAndLeaves(
        _ topic: Spanned<Topic>,
        other: SourceSpan
    ) -> Diagnostic {
        Diagnostic(
            rule: .conflictingKeys,
            message: "one message would both subscribe to and unsubscribe from `\(topic.value)`",
            span: topic.span,
            label: "subscribes",
            related: [RelatedPlace(span: other, message: "unsubscribes")],
            help: ["remove one of them"]
        )
    }

    fileprivate static func subscribesOptedOut(
        at span: SourceSpan,
        optOut: SourceSpan
    ) -> Diagnostic {
        Diagnostic(
            rule: .conflictingKeys,
            message: "`subscribe` has no effect: `opt_out` unsubscribes from all topics",
            span: span,
            label: "has no effect",
            related: [RelatedPlace(span: optOut, message: "opts out")],
            help: ["remove one of them"]
        )
    }

    fileprivate static func unknownAnsweredCampaign(
        _ name: Spanned<CampaignID>,
        among known: [String]
    ) -> Diagnostic {
        let near = SpellingSuggestion.nearest(to: name.value.rawValue, among: known)
        return Diagnostic(
            rule: .unknownValue,
            message: "`\(name.value)` is not the name of a campaign",
            span: name.span,
            label: "unknown name",
            help: [
                near.map { "did you mean `\($0)`?" } ?? "write the name of a `campaign:` document"
            ],
            fix: near.map { Fix(span: name.span, replacement: $0) }
        )
    }
}
