package import CampaignModel
import Diagnostics
import JSON
import Text
import YAMLSyntax

/// A `campaign:` document as written, with defaults and the extended message merged.
package struct CampaignDeclaration: Sendable {
    package enum CapException: String, Sendable, CaseIterable {
        case exempt
    }

    package var campaign: Spanned<CampaignID>?
    package var about: Spanned<String>?
    package var owner: Spanned<String>?
    package var labels: Spanned<[NamedEntry<Identifier<Label>, String>]>?
    package var extends: Spanned<SharedMessageID>?
    package var audience: Spanned<AudienceReference>?
    package var exclude: Spanned<[Spanned<AudienceID>]>?
    package var message: Spanned<MessageDeclaration>?
    package var delivery: Spanned<DeliveryDeclaration>?
    package var schedule: Spanned<ScheduleDeclaration>?
    package var priority: Spanned<Int64>?
    package var objective: Spanned<Objective>?
    package var revision: Spanned<Int64>?
    package var formerID: Spanned<CampaignID>?
    package var experiment: Spanned<CampaignID>?
    package var variants: Spanned<[NamedEntry<Identifier<Variant>, VariantDeclaration>]>?
    package var holdOut: Spanned<Percentage>?
    package var locales: Spanned<[NamedEntry<LocaleRange, MessageDeclaration>]>?
    package var rollout: Spanned<RolloutDeclaration>?
    package var recall: Spanned<RecallDeclaration>?
    package var corrects: Spanned<CorrectedSend>?
    package var onUnknown: Spanned<SendingPolicy.OnUnknown>?
    package var acknowledge: Spanned<AcknowledgeDeclaration>?
    package var record: Spanned<SendingPolicy.Record>?
    package var cap: Spanned<CapException>?
    package var reason: Spanned<String>?
    package var environments: Spanned<[Spanned<EnvironmentID>]>?
    package var encrypt: Spanned<EncryptDeclaration>?

    package init() {}

    package static let reader = MappingReader<CampaignDeclaration>(
        "a campaign",
        fields: [
            .required(
                "campaign",
                at: \.campaign,
                as: .identifier(),
                about: "Campaign name. The history records it, so renaming requires `moved_from`.",
                examples: ["spring-tide-warning"]
            ),
            .optional(
                "about",
                at: \.about,
                as: .text,
                about: "One-sentence description of the campaign."
            ),
            .optional(
                "owner",
                at: \.owner,
                as: .text,
                about: "Person or team responsible.",
                examples: ["growth@tidewatch.example"]
            ),
            .optional("labels", at: \.labels, as: .labels, about: "Your own key-value labels."),
            .optional(
                "environments",
                at: \.environments,
                as: .list(of: .identifier(), atLeast: 1),
                about: "Environments that the campaign belongs to (default: all).",
                examples: [["staging", "production"]]
            ),
            .optional(
                "extends",
                at: \.extends,
                as: .identifier(),
                about:
                    "Shared message of a `messages:` document. The campaign's own values are merged "
                    + "over it.",
                examples: ["harbour-alert"]
            ),
            audienceField,
            .optional(
                "exclude",
                at: \.exclude,
                as: .list(of: .identifier(), atLeast: 1),
                about:
                    "Names of audiences that are left out of the campaign's list or, if every list "
                    + "has an `identity`, whose people are.",
                examples: [["staff"]]
            ),
            messageField,
            .optional(
                "delivery",
                at: \.delivery,
                as: .mapping(DeliveryDeclaration.reader, from: .init()),
                about: "Delivery settings that Herald translates for each platform."
            ),
            .optional(
                "schedule",
                at: \.schedule,
                as: .schedule,
                about: "When to send (default: once, at the next apply)."
            ),
            .optional(
                "record",
                at: \.record,
                as: .choice,
                about:
                    "What the state stores about accepted requests to a list: the message `ids`, or "
                    + "only `counts` (default: counts)."
            ),
            .optional(
                "on_unknown",
                at: \.onUnknown,
                as: .choice,
                about: "What to do about a request whose outcome is unknown."
            ),
            .optional(
                "acknowledge",
                at: \.acknowledge,
                as: .mapping(AcknowledgeDeclaration.reader, from: .init()),
                about: "Limits that this campaign may exceed, with the reason."
            ),
        ] + capFields + laterFields,
        needs: [.init("cap", beside: "reason"), .init("reason", beside: "cap")],
        exclusions: [.init("corrects", of: keysOfSends)]
    )

    /// The keys that a correction takes from the campaign that it corrects, or that it does not have.
    private static let keysOfSends = [
        "extends", "audience", "exclude", "delivery", "schedule", "record", "on_unknown",
        "acknowledge",
        "cap", "encrypt", "priority", "objective", "revision", "moved_from", "experiment",
        "variants",
        "holdout", "locales", "rollout", "recall",
    ]

    private static let audienceField: Field<CampaignDeclaration> =
        .required(
            "audience",
            at: \.audience,
            as: .audienceReference,
            about:
                "What the campaign addresses: a topic, a condition, a list, a device group, or the "
                + "name of an `audience:` document.",
            examples: [["topic": "tides"], "beta-anglers"]
        ).replaced(by: "corrects")

    private static let messageField: Field<CampaignDeclaration> =
        .required(
            "message",
            at: \.message,
            as: .message,
            about: "FCM's v1 `Message` without its target. `{}` is a ping."
        ).supplied(by: "extends")

    private static let capFields: [Field<CampaignDeclaration>] = [
        .optional(
            "cap",
            at: \.cap,
            as: .choice,
            about:
                "`exempt` ignores `per_recipient`. Its messages still count. Explain it in `reason`."
        ),
        .optional(
            "reason",
            at: \.reason,
            as: .text,
            about: "Reason for ignoring the frequency cap.",
            examples: ["Storm warnings save lives."]
        ),
    ]

    private static let laterFields: [Field<CampaignDeclaration>] = [
        .optional(
            "encrypt",
            at: \.encrypt,
            as: .mapping(EncryptDeclaration.reader, from: .init()),
            about:
                "Encrypt `data` and `notification` for each recipient with the `public_key` of the list. "
                + "Only the recipient's app can read them.",
            examples: [[:], ["placeholder": ["title": "New message"]]]
        ),
        .optional(
            "priority",
            at: \.priority,
            as: .integer(-1_000...1_000),
            about: "Of sends with the same due time, the higher number goes first (default: 0).",
            examples: [10]
        ),
        .optional(
            "objective",
            at: \.objective,
            as: .objective,
            about: "Share of the recipients to reach within a time after the due time. The plan "
                + "predicts it, and the history shows what was reached.",
            examples: ["90% in 2m"]
        ),
        .optional(
            "revision",
            at: \.revision,
            as: .integer(1...1_000_000),
            about: "Raise this number to resend on purpose (default: 1).",
            examples: [2]
        ),
        .optional(
            "moved_from",
            at: \.formerID,
            as: .identifier(),
            about: "Previous name of the campaign. A rename never sends again."
        ),
        .optional(
            "experiment",
            at: \.experiment,
            as: .identifier(),
            about:
                "Name of the experiment (default: the campaign's name). A new name assigns people to "
                + "variants again, and is needed to change weights after the first send. With the same name, two "
                + "campaigns assign each person to the same variant.",
            examples: ["spring-title"]
        ),
        .optional(
            "variants",
            at: \.variants,
            as: .named(by: .identifier(), of: .mapping(VariantDeclaration.reader, from: .init())),
            about:
                "Message variants to compare, each with a weight. A hash assigns each person of the list to "
                + "a variant.",
            examples: [
                [
                    "short": ["weight": 50],
                    "long": [
                        "weight": 50, "message": ["notification": ["body": "High tide at 18:40."]],
                    ],
                ]
            ]
        ),
        .optional(
            "holdout",
            at: \.holdOut,
            as: .percentage,
            about: "Share of people that receive nothing, for comparison.",
            examples: ["10%"]
        ),
        .optional(
            "locales",
            at: \.locales,
            as: .named(by: .localeRange, of: .messageOverRest),
            about:
                "Differences in the message for recipients whose locale begins with the tag. "
                + "`\"*\": {}` lets all other recipients get the campaign's own text.",
            examples: [["pt": ["notification": ["title": "Maré viva"]], "*": [:]]]
        ),
        .optional(
            "rollout",
            at: \.rollout,
            as: .mapping(RolloutDeclaration.reader, from: .init()),
            about: "Send to a list in growing stages."
        ),
        .optional(
            "recall",
            at: \.recall,
            as: .mapping(RecallDeclaration.reader, from: .init()),
            about:
                "What `herald recall` puts in the place of the notification (default: the project's). With "
                + "this key, the state keeps the list until the message expires.",
            examples: [["notification": ["body": "Please ignore our previous message."]]]
        ),
        .optional(
            "corrects",
            at: \.corrects,
            as: .correctedSend,
            about:
                "Campaign whose last notifications this one replaces, on the devices that may have them, or "
                + "one of its occurrences. In place of `audience`; `message` has only the new title and body.",
            examples: ["spring-tide-warning", "spring-tide-warning/once/1"]
        ),
    ]
}

extension ValueReader where Value == CorrectedSend {
    fileprivate static let correctedSend = ValueReader.scalar(
        ExpectedText(
            "a campaign or an occurrence",
            rule: .invalidName,
            help: "write the name of a campaign, or of an occurrence as `herald status` prints it: "
                + "`spring-tide-warning/once/1`"
        ),
        schema: .text(
            TextForm(
                pattern: "[A-Za-z0-9][A-Za-z0-9_.-]{0,63}(/[ -~]+/[1-9][0-9]{0,17})?",
                lookalikes: .unsigned
            )
        ),
        parse: CorrectedSend.init
    )
}

/// The content of `defaults:` in the project file, which is merged under every campaign.
package struct DefaultsDeclaration: Sendable {
    package var owner: Spanned<String>?
    package var labels: Spanned<[NamedEntry<Identifier<Label>, String>]>?
    package var message: Spanned<MessageDeclaration>?
    package var delivery: Spanned<DeliveryDeclaration>?
    package var onUnknown: Spanned<SendingPolicy.OnUnknown>?

    package static let reader = MappingReader<DefaultsDeclaration>(
        "`defaults`",
        fields: [
            .optional("owner", at: \.owner, as: .text, about: "Person or team responsible."),
            .optional("labels", at: \.labels, as: .labels, about: "Your own key-value labels."),
            .optional(
                "message",
                at: \.message,
                as: .messagePart,
                about: "Default message. Each campaign's message is merged over it."
            ),
            .optional(
                "delivery",
                at: \.delivery,
                as: .mapping(DeliveryDeclaration.reader, from: .init()),
                about: "Default delivery. Each campaign's delivery is merged over it."
            ),
            .optional(
                "on_unknown",
                at: \.onUnknown,
                as: .choice,
                about: "What to do about a request whose outcome is unknown."
            ),
        ]
    )
}

/// A name and a value with which a team labels a campaign.
package enum Label {}

extension ValueReader where Value == [NamedEntry<Identifier<Label>, String>] {
    static let labels = ValueReader.named(by: .identifier(), of: .text)
}
