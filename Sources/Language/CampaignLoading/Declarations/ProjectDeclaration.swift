package import CampaignModel
package import Diagnostics
import FCMWire
import JSON
import YAMLSyntax

/// `herald.yaml` as written.
package struct ProjectDeclaration: Sendable {
    package var version: Spanned<Int64>?
    package var project: Spanned<ProjectID>?
    package var timezone: Spanned<String>?
    package var topics: Spanned<[NamedEntry<Topic, TopicDeclaration>]>?
    package var defaults: Spanned<DefaultsDeclaration>?
    package var environments: Spanned<[NamedEntry<EnvironmentID, EnvironmentDeclaration>]>?
    package var rules: Spanned<[NamedEntry<RuleID, RuleSetting>]>?

    package init() {}

    package static let reader = MappingReader<ProjectDeclaration>(
        "the project",
        [
            .required(
                "version",
                \.version,
                .version,
                "The version of the language: 1.",
                examples: [1]
            ),
            .required(
                "project",
                \.project,
                .identifier(),
                "The project's name; in requests to the emulator it is the project id.",
                examples: ["tidewatch"]
            ),
            .optional(
                "timezone",
                \.timezone,
                .text,
                "The IANA zone of every schedule that names none; UTC where nothing is said.",
                examples: ["Atlantic/Azores"]
            ),
            .optional(
                "topics",
                \.topics,
                .named(by: .topic, .mapping(TopicDeclaration.reader, from: TopicDeclaration())),
                "The registry: a topic that is not declared is an error, because FCM would take a "
                    + "misspelt one in silence.",
                examples: [["tides": ["about": "Tide tables", "reach": 40_000]]]
            ),
            .optional(
                "defaults",
                \.defaults,
                .mapping(DefaultsDeclaration.reader, from: .init()),
                "Merged under every campaign: mappings deeply, all else replaced; null removes."
            ),
            .optional(
                "environments",
                \.environments,
                .named(
                    by: .identifier(),
                    .mapping(EnvironmentDeclaration.reader, from: EnvironmentDeclaration())
                ),
                "Where the project is applied; `local`, the built-in emulator, is always there."
            ),
            .optional(
                "rules",
                \.rules,
                .named(by: .ruleID, .choice),
                "How bad the findings of a rule are; what protects people can't be turned down.",
                examples: [["condition-negation": "off"]]
            ),
        ],
        notBuilt: ["sources"]
    )
}

package struct TopicDeclaration: Sendable {
    package var about: Spanned<String>?
    package var reach: Spanned<Int64>?
    package var test: Spanned<Bool>?

    package static let reader = MappingReader<TopicDeclaration>(
        "a topic",
        [
            .optional("about", \.about, .text, "What its subscribers get."),
            .optional(
                "reach",
                \.reach,
                .integer(0...1_000_000_000_000),
                "How many app instances you believe to be subscribed.",
                examples: [40_000]
            ),
            .optional(
                "test",
                \.test,
                .flag,
                "A topic of your own people: it may be addressed from any environment."
            ),
        ]
    )
}

extension ValueReader where Value == Int64 {
    fileprivate static let version = ValueReader(.integer(1...1)) { node, log in
        guard let number = ValueReader.integer(0...Int64.max).read(node, &log) else { return nil }
        guard number == 1 else {
            log.report(
                Diagnostic(
                    rule: .unsupportedVersion,
                    message: "version \(number) is not known",
                    span: node.span,
                    label: "this Herald reads version 1"
                )
            )
            return nil
        }
        return number
    }
}
