package import CampaignModel
import JSON
package import Time

/// The content of `delivery:`.
package struct DeliveryDeclaration: Sendable {
    package var timeToLive: Spanned<TimeToLive>?
    package var expires: Spanned<CivilDateTime>?
    package var priority: Spanned<Delivery.Priority>?
    package var collapse: Spanned<CollapseKey>?

    package static let reader = MappingReader<DeliveryDeclaration>(
        "`delivery`",
        fields: [
            .optional(
                "ttl",
                at: \.timeToLive,
                as: .timeToLive,
                about:
                    "How long FCM keeps an undelivered message, up to 28d. 0 means deliver now or "
                    + "never. Sets `android.ttl`, `apns-expiration` and the web's `TTL`.",
                examples: ["12h", "1h30m", "0"]
            ),
            .optional(
                "expires",
                at: \.expires,
                as: .moment,
                about: "Local time after which the message is worthless, instead of `ttl`. Herald "
                    + "computes the remaining lifetime when it sends.",
                examples: ["2037-03-20 18:00"]
            ),
            .optional(
                "priority",
                at: \.priority,
                as: .choice,
                about: "`high` wakes a sleeping phone. Use it for urgent visible messages. Sets "
                    + "`android.priority`, `apns-priority` and the web's `Urgency`."
            ),
            .optional(
                "collapse",
                at: \.collapse,
                as: .collapseKey,
                about: "Collapse key. A newer message with the same key replaces a pending one.",
                examples: ["spring-tide"]
            ),
        ],
        atMostOneOf: [["ttl", "expires"]]
    )
}
