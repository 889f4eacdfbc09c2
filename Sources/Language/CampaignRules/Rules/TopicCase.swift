import CampaignLoading
import CampaignModel
import Diagnostics

extension RulePage {
    static let topicCase = RulePage(
        .topicCase,
        whatItDoes: "Finds topics of the registry that differ only by case.",
        whyIsThisBad: """
            FCM takes them for two topics, while a legacy page calls conditions case-insensitive. \
            Apps that subscribe to one and campaigns that name the other miss each other in \
            silence.
            """,
        example: """
            === herald.yaml
            version: 1
            project: tidewatch
            topics: { tides: {}, Tides: {} }
            """,
        useInstead: """
            === herald.yaml
            version: 1
            project: tidewatch
            topics: { tides: {} }
            """,
        source: """
            Firebase documentation, Topic messaging; Firebase documentation, XMPP server reference
            """
    )
}

extension Rule {
    static let topicCase = Rule(.topicCase) { context, log in
        var seen: [String: Spanned<Topic>] = [:]
        for entry in context.declarations.project?.topics?.value ?? [] {
            let name = entry.name.value.name.lowercased()
            if let first = seen[name] {
                guard first.value != entry.name.value else { continue }
                log.report(.topicCase(entry.name, first))
            } else {
                seen[name] = entry.name
            }
        }
    }
}

extension Diagnostic {
    fileprivate static func topicCase(
        _ topic: Spanned<Topic>,
        _ first: Spanned<Topic>
    ) -> Diagnostic {
        Diagnostic(
            rule: .topicCase,
            message: "the topics `\(first.value)` and `\(topic.value)` differ only by case",
            span: topic.span,
            label: "another topic to FCM",
            related: [RelatedPlace(span: first.span, message: "the first")],
            help: ["keep one of them"]
        )
    }
}
