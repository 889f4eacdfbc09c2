import CampaignModel
import JSON
import Planning

extension PlanJSON {
    static let objective = JSONShape<PlannedObjective>(
        "Whether pace and fan-out allow the objective of a campaign.",
        [
            .required("campaign", .text, about: "Name of the campaign.") { $0.campaign.rawValue },
            .required("objective", .text, about: "Share and time, as in the campaign.") {
                $0.objective.description
            },
            .required("verdict", .choice, about: "Whether it is reachable.") { $0.verdict },
            .required(
                "recipients",
                .nullable(.count),
                about: "Registrations or devices that it is a share of; null if unknown."
            ) { $0.recipients },
            .required(
                "delay_seconds",
                .count,
                about: "Time from the due time to the first request, rounded up."
            ) { Int($0.delay.wholeSeconds) },
            .required(
                "predicted_seconds",
                .nullable(.count),
                about: "Time from the due time until the share is reached; null if unknown."
            ) { $0.predicted.map { Int($0.wholeSeconds) } },
            .required(
                "list_seconds",
                .nullable(.count),
                about: "Time that requests to a list need for the share; null if unknown."
            ) { $0.asList.map { Int($0.wholeSeconds) } },
            .required(
                "topic_seconds",
                .nullable(.count),
                about: "Time that the fan-out of a topic needs for the share; null if unknown."
            ) { $0.asTopic.map { Int($0.wholeSeconds) } },
            .optional(
                "needs",
                .object(need),
                about: "What it needs, if it is unreachable; empty if only more time is enough."
            ) { $0.need },
        ]
    )

    private static let need = JSONShape<PlannedObjective.Need>(
        "What an objective needs.",
        [
            .optional("sends_per_minute", .count, about: "Value of `pace`.") {
                if case .settings(let sends, _) = $0 { sends } else { nil }
            },
            .optional("max_unknown", .count, about: "Value of the environment.") {
                if case .settings(_, let unknown) = $0 { unknown } else { nil }
            },
            .optional("fan_out_rate", .count, about: "Devices that FCM reaches per second.") {
                if case .fanOutRate(let rate) = $0 { rate } else { nil }
            },
            .optional("earlier_start", .flag, about: "Whether it must begin earlier.") {
                if case .earlierStart = $0 { true } else { nil }
            },
        ]
    )
}
