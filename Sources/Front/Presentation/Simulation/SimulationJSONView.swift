import DeliveryModel
import JSON
import Simulation

/// The simulation result as JSON.
package struct SimulationJSONView: Sendable {
    package static let formatVersion = "2.0"

    private let story: SimulationDescription

    package init(_ story: SimulationDescription) {
        self.story = story
    }

    package func render() -> String { JSONValue.object(document).prettyText + "\n" }

    private var document: JSONObject {
        let result = story.result
        var document: JSONObject = [
            "format_version": .string(Self.formatVersion),
            "start": .string(result.start.rfc3339),
            "end": .string(result.end.rfc3339),
            "first_hour": .string(result.firstHour.rfc3339),
            "seed": .string(String(result.seed)),
            "devices": .object(
                JSONObject(
                    DevicePlatform.allCases.map { platform in
                        member(platform.rawValue, count: result.devices[platform] ?? 0)
                    }
                )
            ),
            "assumptions": .array(story.assumptions.map { .string($0) }),
            "outcomes": outcomes(result.outcomes),
            "campaigns": .array(result.campaigns.map(campaign)),
            "pressure": pressure(of: result),
            "represented_devices": .integer(Int64(result.population.represented)),
        ]
        document["applied"] = story.comparison.map { comparison in
            .object([
                "campaigns": .array(comparison.before.campaigns.map(delivered)),
                "pressure": pressure(of: comparison.before),
            ])
        }
        return document
    }

    private func pressure(of result: SimulationResult) -> JSONValue {
        .object([
            "most": .integer(Int64(result.pressure.most)),
            "most_in_one_day": .integer(Int64(result.pressure.mostInOneDay)),
            "delivered": .integer(Int64(result.pressure.delivered)),
            "devices_by_messages": counts(result.pressure.devices),
        ])
    }

    /// A campaign of the applied plan.
    private func delivered(_ campaign: CampaignOutcome) -> JSONValue {
        .object([
            "campaign": .string(campaign.campaign), "outcomes": outcomes(campaign.outcomes),
        ])
    }

    private func campaign(_ campaign: CampaignOutcome) -> JSONValue {
        .object([
            "campaign": .string(campaign.campaign),
            "sends": .array(campaign.sends.map(send)),
            "outcomes": outcomes(campaign.outcomes),
            "delay_ms": .object([
                "half": delay(campaign.delays.within(percent: 50)),
                "most": delay(campaign.delays.within(percent: 95)),
                "longest": delay(campaign.delays.total > 0 ? campaign.delays.longest : nil),
            ]),
            "delivered_by_hour": counts(campaign.hours),
            "arms": .array(campaign.arms.map(arm)),
            "held_out": .integer(Int64(campaign.heldOut)),
        ])
    }

    private func arm(_ arm: ArmOutcome) -> JSONValue {
        .object(["variant": .string(arm.name), "outcomes": outcomes(arm.outcomes)])
    }

    private func send(_ send: SendCourse) -> JSONValue {
        .object([
            "due": .string(send.due.rfc3339),
            "start": .string(send.start.rfc3339),
            "end": .string(send.end.rfc3339),
            "recipients": .integer(Int64(send.recipients)),
        ])
    }

    private func outcomes(_ counts: OutcomeCounts) -> JSONValue {
        .object(JSONObject(MessageOutcome.allCases.map { member($0.rawValue, count: counts[$0]) }))
    }

    private func delay(_ milliseconds: Int64?) -> JSONValue {
        milliseconds.map { .integer($0) } ?? .null
    }

    private func counts(_ counts: [Int]) -> JSONValue {
        .array(counts.map { .integer(Int64($0)) })
    }

    private func member(_ key: String, count: Int) -> JSONObject.Member {
        JSONObject.Member(key: key, value: .integer(Int64(count)))
    }
}
