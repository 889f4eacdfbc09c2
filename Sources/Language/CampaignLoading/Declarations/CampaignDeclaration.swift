package import CampaignModel
import Diagnostics
import Text
import FCMWire
import JSON
import YAMLSyntax

/// A `campaign:` document as written, with defaults merged.
package struct CampaignDeclaration: Sendable {
    package var campaign: Spanned<CampaignID>?
    package var about: Spanned<String>?
    package var owner: Spanned<String>?
    package var labels: Spanned<[NamedEntry<Identifier<Label>, String>]>?
    package var audience: Spanned<AudienceReference>?
    package var message: Spanned<MessageDeclaration>?
    package var delivery: Spanned<DeliveryDeclaration>?
    package var schedule: Spanned<ScheduleDeclaration>?
    package var revision: Spanned<Int64>?
    package var formerID: Spanned<CampaignID>?
    package var variants: Spanned<[NamedEntry<Identifier<Variant>, VariantDeclaration>]>?
    package var holdOut: Spanned<Percentage>?
    package var locales: Spanned<[NamedEntry<Locale, MessageDeclaration>]>?
    package var rollout: Spanned<RolloutDeclaration>?
    package var onUnknown: Spanned<SendingPolicy.OnUnknown>?
    package var acknowledge: Spanned<AcknowledgeDeclaration>?
    package var record: Spanned<SendingPolicy.Record>?

    package init() {}

    package static let reader = MappingReader<CampaignDeclaration>(
        "a campaign",
        [
            .required(
                "campaign",
                \.campaign,
                .identifier(),
                "The campaign's name; it stands in the history, so renaming needs `moved_from`.",
                examples: ["spring-tide-warning"]
            ),
            .optional("about", \.about, .text, "What it is for, in a sentence."),
            .optional(
                "owner",
                \.owner,
                .text,
                "Whom to ask about it.",
                examples: ["growth@tidewatch.example"]
            ),
            .optional("labels", \.labels, .labels, "Names and values of your own, to find it by."),
            .required(
                "audience",
                \.audience,
                .audienceReference,
                "Whom it goes to: a topic, a condition, a list, a device group, or the name of an "
                    + "`audience:` document.",
                examples: [["topic": "tides"], "beta-anglers"]
            ),
            .required(
                "message",
                \.message,
                .message,
                "FCM's v1 `Message` without its target; `{}` is a ping."
            ),
            .optional(
                "delivery",
                \.delivery,
                .mapping(DeliveryDeclaration.reader, from: .init()),
                "One intent for all platforms, written into each one's own fields."
            ),
            .optional(
                "schedule",
                \.schedule,
                .schedule,
                "When it is sent; at the next apply, once, where nothing is said."
            ),
            .optional(
                "record",
                \.record,
                .choice,
                "What the state keeps of accepted requests to a list: the message `ids`, or "
                    + "`counts` alone, where nothing is said."
            ),
            .optional(
                "on_unknown",
                \.onUnknown,
                .choice,
                "What is done about a request of which nobody knows whether FCM took it."
            ),
            .optional(
                "acknowledge",
                \.acknowledge,
                .mapping(AcknowledgeDeclaration.reader, from: .init()),
                "What you know of and want nevertheless, with the reason."
            ),
        ] + laterFields,
        notBuilt: ["encrypt"]
    )

    private static let laterFields: [Field<CampaignDeclaration>] = [
        .optional(
            "revision",
            \.revision,
            .integer(1...1_000_000),
            "Raised to send again on purpose; 1 where nothing is said.",
            examples: [2]
        ),
        .optional(
            "moved_from",
            \.formerID,
            .identifier(),
            "The name that the campaign had before: a rename never sends again."
        ),
        .optional(
            "variants",
            \.variants,
            .named(by: .identifier(), .mapping(VariantDeclaration.reader, from: .init())),
            "Wordings to compare, each with its weight; who gets which is decided by hash."
        ).later,
        .optional(
            "holdout",
            \.holdOut,
            .percentage,
            "The share of people who get nothing, to compare with.",
            examples: ["10%"]
        ).later,
        .optional(
            "locales",
            \.locales,
            .named(by: .locale, .messageOverRest),
            "What differs in the message for each value of the list's `locale` column."
        ).later,
        .optional(
            "rollout",
            \.rollout,
            .mapping(RolloutDeclaration.reader, from: .init()),
            "Sending to a list in growing parts."
        ).later,
    ]
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
        [
            .optional("owner", \.owner, .text, "Whom to ask about a campaign."),
            .optional("labels", \.labels, .labels, "Names and values of your own."),
            .optional(
                "message",
                \.message,
                .messagePart,
                "Merged under every campaign's message."
            ),
            .optional(
                "delivery",
                \.delivery,
                .mapping(DeliveryDeclaration.reader, from: .init()),
                "Merged under every campaign's delivery."
            ),
            .optional(
                "on_unknown",
                \.onUnknown,
                .choice,
                "What is done about a request of which nobody knows whether FCM took it."
            ),
        ]
    )
}

/// A name and a value with which a team labels a campaign.
package enum Label {}

extension ValueReader where Value == [NamedEntry<Identifier<Label>, String>] {
    static let labels = ValueReader.named(by: .identifier(), .text)
}
