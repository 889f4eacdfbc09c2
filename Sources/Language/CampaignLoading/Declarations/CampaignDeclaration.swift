package import CampaignModel
import Diagnostics
import JSON
import Text
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
                "Campaign name. The history records it, so renaming requires `moved_from`.",
                examples: ["spring-tide-warning"]
            ),
            .optional("about", \.about, .text, "One-sentence description of the campaign."),
            .optional(
                "owner",
                \.owner,
                .text,
                "Person or team responsible.",
                examples: ["growth@tidewatch.example"]
            ),
            .optional("labels", \.labels, .labels, "Your own key-value labels."),
            .required(
                "audience",
                \.audience,
                .audienceReference,
                "What the campaign addresses: a topic, a condition, a list, a device group, or the "
                    + "name of an `audience:` document.",
                examples: [["topic": "tides"], "beta-anglers"]
            ),
            .required(
                "message",
                \.message,
                .message,
                "FCM's v1 `Message` without its target. `{}` is a ping."
            ),
            .optional(
                "delivery",
                \.delivery,
                .mapping(DeliveryDeclaration.reader, from: .init()),
                "Delivery settings that Herald translates for each platform."
            ),
            .optional(
                "schedule",
                \.schedule,
                .schedule,
                "When to send (default: once, at the next apply)."
            ),
            .optional(
                "record",
                \.record,
                .choice,
                "What the state stores about accepted requests to a list: the message `ids`, or "
                    + "only `counts` (default: counts)."
            ),
            .optional(
                "on_unknown",
                \.onUnknown,
                .choice,
                "What to do about a request whose outcome is unknown."
            ),
            .optional(
                "acknowledge",
                \.acknowledge,
                .mapping(AcknowledgeDeclaration.reader, from: .init()),
                "Limits that this campaign may exceed, with the reason."
            ),
        ] + laterFields,
        notBuilt: ["encrypt"]
    )

    private static let laterFields: [Field<CampaignDeclaration>] = [
        .optional(
            "revision",
            \.revision,
            .integer(1...1_000_000),
            "Raise this number to resend on purpose (default: 1).",
            examples: [2]
        ),
        .optional(
            "moved_from",
            \.formerID,
            .identifier(),
            "Previous name of the campaign. A rename never sends again."
        ),
        .optional(
            "variants",
            \.variants,
            .named(by: .identifier(), .mapping(VariantDeclaration.reader, from: .init())),
            "Message variants to compare, each with a weight. A hash assigns recipients to "
                + "variants."
        ).later,
        .optional(
            "holdout",
            \.holdOut,
            .percentage,
            "Share of people that receive nothing, for comparison.",
            examples: ["10%"]
        ).later,
        .optional(
            "locales",
            \.locales,
            .named(by: .locale, .messageOverRest),
            "Differences in the message for each value of the list's `locale` column."
        ).later,
        .optional(
            "rollout",
            \.rollout,
            .mapping(RolloutDeclaration.reader, from: .init()),
            "Send to a list in growing stages."
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
            .optional("owner", \.owner, .text, "Person or team responsible."),
            .optional("labels", \.labels, .labels, "Your own key-value labels."),
            .optional(
                "message",
                \.message,
                .messagePart,
                "Default message. Each campaign's message is merged over it."
            ),
            .optional(
                "delivery",
                \.delivery,
                .mapping(DeliveryDeclaration.reader, from: .init()),
                "Default delivery. Each campaign's delivery is merged over it."
            ),
            .optional(
                "on_unknown",
                \.onUnknown,
                .choice,
                "What to do about a request whose outcome is unknown."
            ),
        ]
    )
}

/// A name and a value with which a team labels a campaign.
package enum Label {}

extension ValueReader where Value == [NamedEntry<Identifier<Label>, String>] {
    static let labels = ValueReader.named(by: .identifier(), .text)
}
