import DeliveryModel
import JSON

/// Counts outcomes over messages and devices.
struct MessageTally {
    /// Number of addressed app instances.
    private(set) var accepted = 0
    private(set) var notifications = 0
    private(set) var shown = 0
    private(set) var opened = 0
    private(set) var lowered = 0
    private var outcomes: [MessageOutcome: Int] = [:]
    private var delays: [MessageDelay: Int] = [:]

    mutating func add(_ fate: MessageFate) {
        accepted += 1
        outcomes[fate.outcome, default: 0] += 1
        if fate.outcome == .delivered { delays[fate.delay, default: 0] += 1 }
        if fate.isNotification { notifications += 1 }
        if fate.isShown { shown += 1 }
        if fate.isOpened { opened += 1 }
        if fate.isPriorityLowered { lowered += 1 }
    }

    subscript(outcome: MessageOutcome) -> Int { outcomes[outcome] ?? 0 }
    subscript(delay: MessageDelay) -> Int { delays[delay] ?? 0 }

    /// The counts as JSON, without outcomes and delays that did not occur.
    var json: JSONObject {
        [
            "devices": .integer(Int64(accepted)),
            "outcomes": .counts(MessageOutcome.allCases.map { ($0.rawValue, self[$0]) }),
            "delays": .counts(MessageDelay.allCases.map { ($0.rawValue, self[$0]) }),
            "shown": .integer(Int64(shown)), "opened": .integer(Int64(opened)),
        ]
    }
}

extension JSONValue {
    fileprivate static func counts(_ counts: [(String, Int)]) -> JSONValue {
        let members = counts.filter { $0.1 > 0 }.map { name, count in
            JSONObject.Member(key: name, value: .integer(Int64(count)))
        }
        return .object(JSONObject(members))
    }
}
