import CampaignModel
import JSON

extension HistoryJSON {
    static let delivery = JSONShape<DeliveryView>(
        "Delivery of a run's messages on the devices.",
        [
            version(),
            .required("run", .count, about: "The run.") { $0.run },
            .required("delivery", .list(of: .object(sendingDelivery)), about: "Sends.") {
                $0.deliveries
            },
        ]
    )

    private static let sendingDelivery = JSONShape<SendingDelivery>(
        "An occurrence.",
        [
            .required("occurrence", .occurrence, about: "campaign/slot/revision") {
                $0.occurrence
            },
            .required(
                "accepted",
                .count,
                about: "Requests of the run that FCM accepted."
            ) { $0.accepted },
            .required(
                "by",
                .nullable(.choice),
                about: "How the messages were identified; null if they were not."
            ) { $0.basis.kind },
            .required(
                "label",
                .nullable(.text),
                about: "Analytics label that identifies the messages."
            ) { $0.basis.label },
            .required(
                "devices",
                .nullable(.count),
                about: "Devices that the messages addressed."
            ) { $0.ifKnown($0.devices) },
            .required(
                "shown",
                .nullable(.count),
                about: "Number of times that a message was shown."
            ) { $0.ifKnown($0.shown) },
            .required(
                "opened",
                .nullable(.count),
                about: "Number of times that a notification was tapped."
            ) { $0.ifKnown($0.opened) },
            .required(
                "outcomes",
                .dictionary(of: .count),
                about: "Devices by FCM's name of the outcome."
            ) { delivery in
                delivery.outcomes.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
            },
        ]
    )
}

extension SendingDelivery {
    /// Nil if the messages were not identified.
    fileprivate func ifKnown(_ count: Int) -> Int? { basis.kind == nil ? nil : count }
}

extension SendingDelivery.Basis {
    fileprivate enum Kind: String, CaseIterable {
        case ids
        case label
    }

    fileprivate var kind: Kind? {
        switch self {
        case .ids: .ids
        case .label: .label
        case .nothing: nil
        }
    }

    fileprivate var label: String? {
        guard case .label(let label) = self else { return nil }
        return label
    }
}
