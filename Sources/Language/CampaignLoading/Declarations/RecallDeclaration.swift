import CampaignModel
import Diagnostics
import JSON
import YAMLSyntax

/// The content of `recall:`.
package struct RecallDeclaration: Sendable {
    package var notification: Spanned<RecallTextDeclaration>?
    package var silent: Spanned<Bool>?

    package static let reader = MappingReader<RecallDeclaration>(
        "`recall`",
        fields: [
            .optional(
                "notification",
                at: \.notification,
                as: .mapping(RecallTextDeclaration.reader, from: .init()),
                about:
                    "Text that replaces the notification (default: the body \"Please ignore the previous "
                    + "message\")."
            ),
            .optional(
                "silent",
                at: \.silent,
                as: .flag,
                about:
                    "Send data, with which the app removes the notification itself (default: false). Data "
                    + "replaces no waiting notification."
            ),
        ],
        atMostOneOf: [["notification", "silent"]]
    )

    /// The default text if it names none.
    var resolved: RecallMessage {
        if silent?.value == true { return .silent }
        guard let notification = notification?.value else { return .standard }
        return .notification(title: notification.title?.value, body: notification.body?.value)
    }
}

/// The text of a recall.
package struct RecallTextDeclaration: Sendable {
    package var title: Spanned<String>?
    package var body: Spanned<String>?

    package static let reader = MappingReader<RecallTextDeclaration>(
        "the notification of a recall",
        fields: [
            .optional(
                "title",
                at: \.title,
                as: .recallText,
                about: "Title, the same for all recipients (default: none).",
                examples: ["Correction"]
            ),
            .required(
                "body",
                at: \.body,
                as: .recallText,
                about: "Text, the same for all recipients.",
                examples: ["Please ignore our previous message."]
            ),
        ]
    )
}

extension ValueReader where Value == String {
    /// A text without placeholders: a recall does not read the rows of the list.
    fileprivate static let recallText = ValueReader(.text(.any)) { node, log in
        guard let scalar = node.requireScalar("text", reportingTo: &log) else { return nil }
        guard !scalar.text.contains("{{") else {
            log.report(.placeholderInRecall(at: node.span))
            return nil
        }
        return scalar.text
    }
}

extension Diagnostic {
    static func placeholderInRecall(at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .unrenderedPlaceholder,
            message: "the text of a recall cannot have placeholders",
            span: span,
            label: "is the same for all recipients",
            help: ["write a text without `{{`"]
        )
    }
}
