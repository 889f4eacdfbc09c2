import CampaignModel
import JSON

/// Renders the delivery of a run's messages, from acceptance to the tap.
package struct DeliveryView: Sendable {
    let run: Int64
    let deliveries: [SendingDelivery]

    package init(run: Int64, deliveries: [SendingDelivery]) {
        self.run = run
        self.deliveries = deliveries
    }

    package func text(_ style: TextStyle) -> String {
        guard !deliveries.isEmpty else { return "Run \(run) sent nothing.\n" }
        let parts = deliveries.map { delivery in
            let name = style.paint(TextStyle.safe(delivery.occurrence.description), in: .strong)
            return ([name] + lines(delivery)).joined(separator: "\n  ") + "\n"
        }
        return style.folded(
            "Run \(run): accepted → delivered → opened\n\n" + parts.joined(separator: "\n")
        )
    }

    private func lines(_ delivery: SendingDelivery) -> [String] {
        let accepted = "\(delivery.accepted.grouped) accepted"
        switch delivery.basis {
        case .nothing:
            return [
                accepted,
                "delivery unknown: set `analytics_label` in the message or `record: ids` in the "
                    + "campaign",
            ]
        case .ids: return [accepted + flow(delivery)] + others(delivery)
        case .label(let label):
            return [accepted, "all with label \(TextStyle.safe(label))\(flow(delivery))"]
                + others(delivery)
        }
    }

    private func flow(_ delivery: SendingDelivery) -> String {
        let devices = delivery.devices == 1 ? "device" : "devices"
        return " → \(delivery.delivered.grouped) of \(delivery.devices.grouped) \(devices) "
            + "delivered, \(delivery.shown.grouped) shown → \(delivery.opened.grouped) opened"
    }

    private func others(_ delivery: SendingDelivery) -> [String] {
        delivery.others.map { "\($0.count.grouped) \(TextStyle.safe($0.outcome))" }
    }

    package var json: String {
        JSONValue.object(HistoryJSON.delivery.json(of: self)).prettyText + "\n"
    }
}
