package import CampaignModel
import Diagnostics
import JSON
import Text

/// An entry of `variants:` of a campaign.
package struct VariantDeclaration: Sendable {
    package var weight: Spanned<Int64>?
    package var message: Spanned<MessageDeclaration>?

    package static let reader = MappingReader<VariantDeclaration>(
        "a variant",
        fields: [
            .required(
                "weight",
                at: \.weight,
                as: .integer(0...1_000_000),
                about:
                    "Weight, relative to the sum of all weights. A variant of weight 0 gets no one.",
                examples: [50]
            ),
            .optional(
                "message",
                at: \.message,
                as: .messageOverRest,
                about: "Differences from the campaign's message, merged over it."
            ),
        ]
    )
}

/// The content of `rollout:`.
package struct RolloutDeclaration: Sendable {
    package var canary: Spanned<AudienceID>?
    package var stages: Spanned<[Spanned<Threshold>]>?
    package var pause: Spanned<Int64>?
    package var stopWhen: Spanned<StopWhenDeclaration>?

    package static let reader = MappingReader<RolloutDeclaration>(
        "`rollout`",
        fields: [
            .optional(
                "canary",
                at: \.canary,
                as: .identifier(),
                about:
                    "Name of an audience with `test: true` that gets the message before the first stage.",
                examples: ["staff"]
            ),
            .required(
                "stages",
                at: \.stages,
                as: .list(of: .threshold, atLeast: 1),
                about: "Growing shares of the list, or growing numbers of recipients.",
                examples: [["1%", "10%", "100%"]]
            ),
            .optional(
                "pause",
                at: \.pause,
                as: .duration,
                about: "Time between two stages.",
                examples: ["30m"]
            ),
            .optional(
                "stop_when",
                at: \.stopWhen,
                as: .mapping(StopWhenDeclaration.reader, from: .init()),
                about:
                    "When to skip the remaining stages. Dead and capped registrations do not count."
            ),
        ]
    )
}

/// The content of `stop_when:`.
package struct StopWhenDeclaration: Sendable {
    package var rejected: Spanned<Threshold>?
    package var unknown: Spanned<Threshold>?
    package var held: Spanned<Bool>?

    package static let reader = MappingReader<StopWhenDeclaration>(
        "`stop_when`",
        fields: [
            .optional(
                "rejected",
                at: \.rejected,
                as: .threshold,
                about: "Number or share of requests that FCM rejected.",
                examples: ["5%"]
            ),
            .optional(
                "unknown",
                at: \.unknown,
                as: .threshold,
                about: "Number or share of requests whose outcome is unknown.",
                examples: [10]
            ),
            .optional(
                "held",
                at: \.held,
                as: .flag,
                about:
                    "Whether the wrong-list check and repeated server errors stop the rollout, too "
                    + "(default: false)."
            ),
        ]
    )
}

/// The content of `acknowledge:`.
package struct AcknowledgeDeclaration: Sendable {
    package var reach: Spanned<Int64>?
    package var dead: Spanned<Percentage>?
    package var change: Spanned<Int64>?
    package var reason: Spanned<String>?

    package static let reader = MappingReader<AcknowledgeDeclaration>(
        "`acknowledge`",
        fields: [
            .optional(
                "reach",
                at: \.reach,
                as: .integer(1...1_000_000_000_000),
                about: "Reach to allow although a guard's limit is lower.",
                examples: [120_000]
            ),
            .optional(
                "dead",
                at: \.dead,
                as: .percentage,
                about: "Share of dead registrations to allow in the list.",
                examples: ["40%"]
            ),
            .optional(
                "change",
                at: \.change,
                as: .integer(1...1_000_000_000_000),
                about:
                    "Number of registrations that the list may lose although `max_change` is lower.",
                examples: [600]
            ),
            .required("reason", at: \.reason, as: .text, about: "Reason, recorded in the history."),
        ]
    )
}

/// The content of `acknowledge:` of an audience or a removal.
package struct ChangeDeclaration: Sendable {
    package var change: Spanned<Int64>?
    package var reason: Spanned<String>?

    package static let reader = MappingReader<ChangeDeclaration>(
        "an acknowledged change",
        fields: [
            .required(
                "change",
                at: \.change,
                as: .integer(1...1_000_000_000_000),
                about:
                    "Number of registrations that may join and leave a topic, or that the list may "
                    + "lose, although `max_change` is lower.",
                examples: [600]
            ),
            .required("reason", at: \.reason, as: .text, about: "Reason, shown in the plan."),
        ]
    )
}

extension ValueReader where Value == Percentage {
    package static let percentage = ValueReader.scalar(
        ExpectedText(
            "a share such as `30%`",
            rule: .percentage,
            help: "write it from `0%` to `100%`, with at most two decimals"
        ),
        schema: .text(TextForm(pattern: percentPattern)),
        parse: Percentage.init
    )

    static let percentPattern = "(100(\\.0{1,2})?|[0-9]{1,2}(\\.[0-9]{1,2})?)%"
}

extension ValueReader where Value == Threshold {
    package static let threshold = ValueReader.scalar(
        ExpectedText(
            "a share such as `5%` or a number",
            rule: .percentage,
            help: "write a share from `0%` to `100%`, or a whole number of at least 1"
        ),
        schema: .text(
            TextForm(
                pattern: "\(ValueReader<Percentage>.percentPattern)|0*[1-9][0-9]{0,17}",
                lookalikes: .integers(1...Int64.max)
            )
        ),
        parse: Threshold.init
    )
}

extension ValueReader where Value == LocaleRange {
    /// A key of `locales`.
    package static let localeRange = ValueReader.scalar(
        ExpectedText(
            "a language tag",
            rule: .localeTag,
            help: "write a tag such as `pt` or `pt-BR`, or `\"*\"` for all other locales"
        ),
        schema: .text(TextForm(pattern: "\\*|" + Locale.pattern)),
        respell: { Locale.meant(by: $0)?.tag },
        parse: { LocaleRange($0) }
    )
}

extension Locale {
    /// The well-formed tags as a pattern of the JSON Schema.
    fileprivate static let pattern = ([regularPattern, privatePattern] + irregularPatterns)
        .joined(separator: "|")

    private static let regularPattern = [
        "([A-Za-z]{2,3}(-[A-Za-z]{3}){0,3}|[A-Za-z]{4,8})",
        "(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?",
        "(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*",
        "(-[0-9A-WY-Za-wy-z](-[A-Za-z0-9]{2,8})+)*",
        "(-\(privatePattern))?",
    ].joined()

    private static let privatePattern = "[Xx](-[A-Za-z0-9]{1,8})+"

    /// In any case.
    private static let irregularPatterns = irregularTags.sorted().map { tag in
        tag.map { $0 == "-" ? "-" : "[\($0.uppercased())\($0)]" }.joined()
    }
}
