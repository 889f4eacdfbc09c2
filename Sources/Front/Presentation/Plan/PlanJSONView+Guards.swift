import CampaignModel
import JSON
import Planning

extension PlanJSONView {
    func guardOutcome(_ outcome: GuardOutcome, of environment: EnvironmentID) -> JSONValue {
        let text = GuardWording(outcome, environment: environment)
        var object: JSONObject = [
            "guard": .string(outcome.guard.rawValue), "outcome": .string(outcome.verdict.name),
            "reason": .string(text.reason), "way_out": .string(text.wayOut),
            "bypass": .string(outcome.guard.option),
        ]
        switch outcome.subject {
        case .campaign(let id)?: object["campaign"] = .string(id.rawValue)
        case .audience(let id, let topic)?:
            object["audience"] = .string(id.rawValue)
            object["topic"] = topic.map { .string($0.name) }
        case nil: break
        }
        if case .acknowledged(_, let reason) = outcome.verdict {
            object["acknowledged"] = .string(reason)
        }
        return .object(object)
    }
}

extension GuardVerdict {
    /// The name in JSON and in text.
    package var name: String {
        switch self {
        case .acknowledged: "acknowledged"
        case .refused: "refused"
        case .bypassed: "bypassed"
        }
    }
}
