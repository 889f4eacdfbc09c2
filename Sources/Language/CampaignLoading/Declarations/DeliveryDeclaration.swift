package import CampaignModel
import FCMWire
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
        [
            .optional(
                "ttl",
                \.timeToLive,
                .timeToLive,
                "How long FCM keeps the message where it can't deliver it at once, up to 28d; 0 is "
                    + "now or never. It becomes `android.ttl`, `apns-expiration` and the web's "
                    + "`TTL`.",
                examples: ["12h", "1h30m", "0"]
            ),
            .optional(
                "expires",
                \.expires,
                .moment,
                "The local time at which the message is worth nothing any more, in place of `ttl`: what "
                    + "is left of it is written at the moment of sending.",
                examples: ["2037-03-20 18:00"]
            ),
            .optional(
                "priority",
                \.priority,
                .choice,
                "`high` wakes a sleeping phone, for what people see and want at once. It becomes "
                    + "`android.priority`, `apns-priority` and the web's `Urgency`."
            ),
            .optional(
                "collapse",
                \.collapse,
                .collapseKey,
                "A newer message with the same key replaces an older one that still waits.",
                examples: ["spring-tide"]
            ),
        ],
        atMostOneOf: [["ttl", "expires"]]
    )
}
