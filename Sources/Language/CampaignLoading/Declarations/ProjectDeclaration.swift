package import CampaignModel
package import Diagnostics
import JSON
import YAMLSyntax

/// `herald.yaml` as written.
package struct ProjectDeclaration: Sendable {
    package var version: Spanned<Int64>?
    package var project: Spanned<ProjectID>?
    package var timezone: Spanned<String>?
    package var globalHoldOut: Spanned<Percentage>?
    package var recall: Spanned<RecallDeclaration>?
    package var topics: Spanned<[NamedEntry<Topic, TopicDeclaration>]>?
    package var defaults: Spanned<DefaultsDeclaration>?
    package var environments: Spanned<[NamedEntry<EnvironmentID, EnvironmentDeclaration>]>?
    package var sources: Spanned<[NamedEntry<ListSourceID, SourceDeclaration>]>?
    package var rules: Spanned<[NamedEntry<RuleID, RuleSetting>]>?

    package init() {}

    package static let reader = MappingReader<ProjectDeclaration>(
        "the project",
        fields: [
            .required(
                "version",
                at: \.version,
                as: .version,
                about: "Version of the language: 1.",
                examples: [1]
            ),
            .required(
                "project",
                at: \.project,
                as: .identifier(),
                about: "Project name. Requests to the emulator use it as the project ID.",
                examples: ["tidewatch"]
            ),
            .optional(
                "timezone",
                at: \.timezone,
                as: .text,
                about: "IANA time zone of schedules that name none (default: UTC).",
                examples: ["Atlantic/Azores"]
            ),
            .optional(
                "global_holdout",
                at: \.globalHoldOut,
                as: .percentage,
                about:
                    "Share of people to whom no campaign is sent, except to test audiences. The other "
                    + "people's behaviour, compared with theirs, shows what all campaigns achieve together.",
                examples: ["5%"]
            ),
            .optional(
                "recall",
                at: \.recall,
                as: .mapping(RecallDeclaration.reader, from: .init()),
                about:
                    "What `herald recall` puts in the place of a notification, for campaigns without "
                    + "`recall`. With this key, the state keeps each list until the message expires.",
                examples: [["notification": ["body": "Please ignore our previous message."]]]
            ),
            .optional(
                "topics",
                at: \.topics,
                as: .named(
                    by: .topic,
                    of: .mapping(TopicDeclaration.reader, from: TopicDeclaration())
                ),
                about:
                    "Topic registry. An undeclared topic is an error, because FCM silently accepts a "
                    + "misspelt topic.",
                examples: [["tides": ["about": "Tide tables", "reach": 40_000]]]
            ),
            .optional(
                "defaults",
                at: \.defaults,
                as: .mapping(DefaultsDeclaration.reader, from: .init()),
                about:
                    "Defaults for every campaign. Mappings are merged, other values are replaced, null "
                    + "removes a default."
            ),
            .optional(
                "environments",
                at: \.environments,
                as: .named(
                    by: .identifier(),
                    of: .mapping(EnvironmentDeclaration.reader, from: EnvironmentDeclaration())
                ),
                about: "Where to apply the project. `local`, the built-in emulator, always exists."
            ),
            .optional(
                "sources",
                at: \.sources,
                as: .named(
                    by: .identifier(),
                    of: .mapping(SourceDeclaration.reader, from: SourceDeclaration())
                ),
                about:
                    "Programs and queries whose outputs are lists. They run only with the operator's "
                    + "consent (`--allow-sources`), and never in `herald validate`."
            ),
            .optional(
                "rules",
                at: \.rules,
                as: .named(by: .ruleID, of: .choice),
                about:
                    "Severity of each rule's findings. Rules that protect people cannot be downgraded.",
                examples: [["condition-negation": "off"]]
            ),
        ]
    )
}

package struct TopicDeclaration: Sendable {
    package var about: Spanned<String>?
    package var reach: Spanned<Int64>?
    package var test: Spanned<Bool>?

    package static let reader = MappingReader<TopicDeclaration>(
        "a topic",
        fields: [
            .optional("about", at: \.about, as: .text, about: "What subscribers receive."),
            .optional(
                "reach",
                at: \.reach,
                as: .integer(0...1_000_000_000_000),
                about: "Estimated number of subscribed app instances.",
                examples: [40_000]
            ),
            .optional(
                "test",
                at: \.test,
                as: .flag,
                about: "The topic has only your own people, so any environment may address it."
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
                    message: "version \(number) is not supported",
                    span: node.span,
                    label: "this Herald reads version 1"
                )
            )
            return nil
        }
        return number
    }
}
