package import CampaignModel
import Diagnostics
package import Scheduling
import YAMLSyntax

/// A `campaign:` document as written, defaults merged in.
package struct CampaignDeclaration: Sendable {
    package var campaign: Spanned<CampaignID>?
    package var about: Spanned<String>?
    package var owner: Spanned<String>?
    package var audience: Spanned<AudienceReference>?
    package var message: Spanned<MessageDeclaration>?
    package var delivery: Spanned<DeliveryDeclaration>?
    package var schedule: Spanned<ScheduleDeclaration>?

    package init() {}

    package static let reader = MappingReader<CampaignDeclaration>(
        "a campaign",
        [
            .required("campaign", \.campaign, .identifier()),
            .optional("about", \.about, .text),
            .optional("owner", \.owner, .text),
            .required("audience", \.audience, .audienceReference),
            .required("message", \.message, .message),
            .optional("delivery", \.delivery, .mapping(DeliveryDeclaration.reader, from: .init())),
            .optional("schedule", \.schedule, .schedule),
        ],
        notBuilt: [
            "revision", "variants", "holdout", "locales", "rollout", "on_unknown", "acknowledge",
            "moved_from", "encrypt", "labels", "transport", "experiment", "read", "send_at",
        ]
    )
}

/// What `defaults:` in the project file may hold: it is merged under every campaign.
package struct DefaultsDeclaration: Sendable {
    package var owner: Spanned<String>?
    package var message: Spanned<MessageDeclaration>?
    package var delivery: Spanned<DeliveryDeclaration>?

    package static let reader = MappingReader<DefaultsDeclaration>(
        "`defaults`",
        [
            .optional("owner", \.owner, .text),
            .optional("message", \.message, .message),
            .optional("delivery", \.delivery, .mapping(DeliveryDeclaration.reader, from: .init())),
        ],
        notBuilt: ["schedule", "on_unknown", "labels", "rollout", "holdout"]
    )
}

package struct DeliveryDeclaration: Sendable {
    package var timeToLive: Spanned<TimeToLive>?
    package var priority: Spanned<Delivery.Priority>?
    package var collapse: Spanned<CollapseKey>?

    package static let reader = MappingReader<DeliveryDeclaration>(
        "`delivery`",
        [
            .optional("ttl", \.timeToLive, .timeToLive),
            .optional("priority", \.priority, .choice),
            .optional("collapse", \.collapse, .collapseKey),
        ],
        notBuilt: ["expires"]
    )
}

package struct ScheduleDeclaration: Sendable {
    package var at: Spanned<CivilDateTime>?
    package var timezone: Spanned<String>?

    package static let reader = MappingReader<ScheduleDeclaration>(
        "`schedule`",
        [
            .required("at", \.at, .moment),
            .optional("timezone", \.timezone, .text),
        ],
        notBuilt: []
    )

    /// Keys of schedules that are not built: where one stands, a missing `at` is no news.
    static let notBuilt: Set<String> = [
        "cron", "rrule", "from", "until", "late", "late_after", "during_quiet_hours", "jitter",
        "zone",
    ]
}

extension ValueReader where Value == ScheduleDeclaration {
    static let schedule = ValueReader { node, log in
        let unbuilt = (node.entries ?? []).filter {
            ScheduleDeclaration.notBuilt.contains($0.key.scalar?.text ?? "")
        }
        guard unbuilt.isEmpty else {
            for entry in unbuilt {
                log.report(
                    .notBuiltYet(entry.key.scalar?.text ?? "", in: "`schedule`", at: entry.key.span)
                )
            }
            return nil
        }
        return ValueReader.mapping(ScheduleDeclaration.reader, from: ScheduleDeclaration())
            .read(node, &log)
    }
}
