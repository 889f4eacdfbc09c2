package import CampaignModel
package import JSON

/// The delivery to devices of the messages that a run sent for one occurrence.
package struct SendingDelivery: Sendable {
    /// How the emulator's messages were matched to the occurrence.
    package enum Basis: Hashable, Sendable {
        /// By FCM message IDs, which the ledger stores.
        case ids
        /// By the label of the campaign's message.
        ///
        /// This matches all occurrences of the campaign.
        case label(String)
        /// Not matched: no IDs are stored and the message has no label.
        case nothing
    }

    package let occurrence: OccurrenceID
    /// The requests of the run that FCM accepted.
    package let accepted: Int
    package let basis: Basis
    private(set) var devices = 0
    private(set) var shown = 0
    private(set) var opened = 0
    /// The number of devices per FCM outcome.
    private(set) var outcomes: [String: Int] = [:]

    package init(_ occurrence: OccurrenceID, accepted: Int, basis: Basis) {
        self.occurrence = occurrence
        self.accepted = accepted
        self.basis = basis
    }

    /// Adds messages from a response of the emulator's `/emulator/v1/messages`.
    package mutating func add(_ answer: JSONValue) {
        for message in answer["messages"]?.arrayValue ?? [] {
            devices += message.count("devices")
            shown += message.count("shown")
            opened += message.count("opened")
            for outcome in message["outcomes"]?.objectValue?.members ?? [] {
                outcomes[outcome.key, default: 0] += Int(outcome.value.integerValue ?? 0)
            }
        }
    }

    var delivered: Int { outcomes["delivered"] ?? 0 }

    /// Outcomes other than delivery, with FCM's names, sorted.
    var others: [(outcome: String, count: Int)] {
        outcomes.filter { $0.key != "delivered" && $0.value > 0 }
            .sorted { $0.key < $1.key }
            .map { (outcome: $0.key, count: $0.value) }
    }
}

extension JSONValue {
    fileprivate func count(_ name: String) -> Int { Int(self[name]?.integerValue ?? 0) }
}
