package import CampaignModel
import Diagnostics
import JSON
import Text
import YAMLSyntax

/// The audience of a campaign, as written.
package enum AudienceReference: Sendable {
    case topic(Spanned<Topic>)
    case condition(Spanned<ConditionDeclaration>)
    case registrations(Spanned<ListReference>)
    case group(DeviceGroupName)
    /// The name of an `audience:` document.
    case named(AudienceID)
}

/// An `audience:` document as written.
package struct AudienceDeclaration: Sendable {
    package var audience: Spanned<AudienceID>?
    package var about: Spanned<String>?
    package var owner: Spanned<String>?
    package var labels: Spanned<[NamedEntry<Identifier<Label>, String>]>?
    package var registrations: Spanned<ListReference>?
    package var union: Spanned<[Spanned<AudienceID>]>?
    package var allOf: Spanned<[Spanned<AudienceID>]>?
    package var except: Spanned<[Spanned<AudienceID>]>?
    package var subscribe: Spanned<[Spanned<Topic>]>?
    package var rejoin: Spanned<Bool>?
    package var transport: Spanned<MembershipTransportChoice>?
    package var test: Spanned<Bool>?
    package var acknowledge: Spanned<ChangeDeclaration>?
    package var columns: Spanned<[NamedEntry<String, ColumnDeclaration>]>?

    package init() {}

    package static let reader = MappingReader<AudienceDeclaration>(
        "an audience",
        fields: [
            .required(
                "audience",
                at: \.audience,
                as: .identifier(),
                about: "Name that campaigns use for the audience.",
                examples: ["beta-anglers"]
            ),
            .optional(
                "about",
                at: \.about,
                as: .text,
                about: "One-sentence description of the audience."
            ),
            .optional("owner", at: \.owner, as: .text, about: "Person or team responsible."),
            .optional("labels", at: \.labels, as: .labels, about: "Your own key-value labels."),
            .optional(
                "registrations",
                at: \.registrations,
                as: .registrationList,
                about: "The list: a path, a file with its columns, or the registrations.",
                examples: [
                    "campaigns/registrations/beta.txt",
                    ["file": "campaigns/registrations/beta.csv", "column": "registration"],
                ]
            ),
            .optional(
                "subscribe",
                at: \.subscribe,
                as: .list(of: .topic),
                about: "Topics that Herald keeps exactly these registrations subscribed to.",
                examples: [["tides", "azores"]]
            ),
            .optional(
                "rejoin",
                at: \.rejoin,
                as: .flag,
                about: "Re-subscribe registrations that unsubscribed (default: false)."
            ),
            .optional(
                "transport",
                at: \.transport,
                as: .choice,
                about:
                    "How to join and leave: `batch` sends up to 1,000 registrations per request, "
                    + "`per_registration` one. `auto` uses batches until FCM stops serving them "
                    + "(default: auto)."
            ),
            .optional(
                "test",
                at: \.test,
                as: .flag,
                about: "The list contains only your own people, so any environment may address it."
            ),
            .optional(
                "acknowledge",
                at: \.acknowledge,
                as: .mapping(ChangeDeclaration.reader, from: .init()),
                about: "A change that may exceed `max_change`, with the reason."
            ),
            .optional(
                "columns",
                at: \.columns,
                as: .named(
                    by: .columnName,
                    of: .mapping(ColumnDeclaration.reader, from: .init())
                ),
                about: "Columns of the list that messages use as `{{column}}`.",
                examples: [["name": ["default": "angler"]]]
            ),
        ] + setFields,
        oneOf: [["registrations", "union", "all_of"]],
        notBuilt: ["source"]
    )

    private static let setFields: [Field<AudienceDeclaration>] = [
        .optional(
            "union",
            at: \.union,
            as: .list(of: .identifier(), atLeast: 1),
            about: "Names of audiences. The list has the registrations of all of them, each once.",
            examples: [["anglers", "sailors"]]
        ),
        .optional(
            "all_of",
            at: \.allOf,
            as: .list(of: .identifier(), atLeast: 1),
            about:
                "Names of audiences. The list has the registrations that are in all of them or, if "
                + "every list has an `identity`, those of the people who are.",
            examples: [["anglers", "sailors"]]
        ),
        .optional(
            "except",
            at: \.except,
            as: .list(of: .identifier(), atLeast: 1),
            about:
                "Names of audiences whose registrations are left out or, if every list has an "
                + "`identity`, whose people are.",
            examples: [["staff"]]
        ),
    ]
}

/// What an audience says about a column of its list, as written.
package struct ColumnDeclaration: Sendable {
    package var standard: Spanned<String>?

    static let reader = MappingReader<ColumnDeclaration>(
        "a column",
        fields: [
            .required(
                "default",
                at: \.standard,
                as: .text,
                about: "Value of rows that have none. Without it, such a row is an error.",
                examples: ["angler"]
            )
        ]
    )
}

/// The keys of an `audience:` mapping in a campaign, of which exactly one is present.
struct AudienceChoice: Sendable {
    var topic: Spanned<Topic>?
    var condition: Spanned<ConditionDeclaration>?
    var registrations: Spanned<ListReference>?
    var group: Spanned<DeviceGroupName>?

    static let reader = MappingReader<AudienceChoice>(
        "`audience`",
        fields: [
            .optional(
                "topic",
                at: \.topic,
                as: .topic,
                about: "All subscribers of a topic that herald.yaml declares.",
                examples: ["tides"]
            ),
            .optional(
                "condition",
                at: \.condition,
                as: .condition,
                about: "All devices that match an expression over at most five topics.",
                examples: ["'tides' in topics && ('azores' in topics || 'madeira' in topics)"]
            ),
            .optional(
                "registrations",
                at: \.registrations,
                as: .registrationList,
                about: "A list: a path, a file with its columns, or the registrations.",
                examples: ["campaigns/registrations/beta.txt"]
            ),
            .optional(
                "group",
                at: \.group,
                as: .groupName,
                about: "A device group, by its `notification_key_name`."
            ),
        ],
        oneOf: [["topic", "condition", "registrations", "group"]]
    )
}

extension ValueReader where Value == AudienceReference {
    static let audienceReference = ValueReader(
        .either([
            ValueReader<AudienceID>.identifier().schema,
            .mapping(AudienceChoice.reader.schema),
        ])
    ) { node, log in
        if node.scalar != nil {
            return ValueReader<AudienceID>.identifier().read(node, &log)
                .map(AudienceReference.named)
        }
        var choice = AudienceChoice()
        guard AudienceChoice.reader.read(node, into: &choice, reportingTo: &log) else { return nil }
        let kinds: [AudienceReference] = [
            choice.topic.map(AudienceReference.topic),
            choice.condition.map(AudienceReference.condition),
            choice.registrations.map(AudienceReference.registrations),
            choice.group.map { .group($0.value) },
        ].compactMap { $0 }
        return kinds.count == 1 ? kinds.first : nil
    }
}

extension ValueReader where Value == DeviceGroupName {
    static let groupName = ValueReader.scalar(
        ExpectedText(
            "a device group name",
            rule: .invalidName,
            help: "use 1 to 256 printable ASCII characters without spaces"
        ),
        schema: .text(TextForm(pattern: "[!-~]{1,256}", lookalikes: .everything)),
        parse: DeviceGroupName.init
    )
}
