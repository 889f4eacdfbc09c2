import CampaignLoading
import CampaignModel
import Diagnostics

extension Rule {
    static let topicCase = Rule(.topicCase) { context, log in
        var seen: [String: Spanned<Topic>] = [:]
        for entry in context.declarations.project?.topics?.value ?? [] {
            let name = entry.name.value.name.lowercased()
            if let first = seen[name] {
                guard first.value != entry.name.value else { continue }
                log.report(.topicCase(entry.name, first: first))
            } else {
                seen[name] = entry.name
            }
        }
    }
}

extension Diagnostic {
    fileprivate static func topicCase(
        _ topic: Spanned<Topic>,
        first: Spanned<Topic>
    ) -> Diagnostic {
        Diagnostic(
            rule: .topicCase,
            message: "the topics `\(first.value)` and `\(topic.value)` differ only by case",
            span: topic.span,
            label: "a different topic for FCM",
            related: [RelatedPlace(span: first.span, message: "the first")],
            help: ["remove one of them"]
        )
    }
}
