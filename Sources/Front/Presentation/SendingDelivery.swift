package import CampaignModel
package import JSON

/// What became, on the devices, of what a run sent for one occurrence.
package struct SendingDelivery: Sendable {
    /// By what the emulator's messages were recognized.
    package enum Basis: Hashable, Sendable {
        /// By FCM's ids, which the ledger keeps.
        case ids
        /// By the label of the campaign's message: then they are those of all its sendings.
        case label(String)
        /// By nothing: neither ids were kept, nor has the message a label.
        case nothing
    }

    package let occurrence: OccurrenceID
    /// Requests of the run that FCM accepted.
    package let accepted: Int
    package let basis: Basis
    private(set) var devices = 0
    private(set) var shown = 0
    private(set) var opened = 0
    /// By FCM's words.
    private(set) var outcomes: [String: Int] = [:]

    package init(_ occurrence: OccurrenceID, accepted: Int, basis: Basis) {
        self.occurrence = occurrence
        self.accepted = accepted
        self.basis = basis
    }

    /// Adds messages as the emulator's `/emulator/v1/messages` tells them.
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

    /// What was not delivered, in words that FCM has for it, sorted.
    var others: [(outcome: String, count: Int)] {
        outcomes.filter { $0.key != "delivered" && $0.value > 0 }
            .sorted { $0.key < $1.key }
            .map { (outcome: $0.key, count: $0.value) }
    }
}

extension JSONValue {
    fileprivate func count(_ name: String) -> Int { Int(self[name]?.integerValue ?? 0) }
}
