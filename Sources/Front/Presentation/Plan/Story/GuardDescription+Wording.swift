import CampaignModel
import Planning

extension GuardDescription {
    init(_ outcome: GuardOutcome, in environment: EnvironmentID) {
        let text = GuardWording(outcome, environment: environment)
        name = outcome.guard.rawValue
        subject = text.subject
        switch outcome.verdict {
        case .acknowledged(_, let reason):
            self.outcome = .acknowledged
            wording = "\(text.reason) (\(reason))"
        case .refused:
            self.outcome = .refused
            wording = "\(text.reason); fix: \(text.wayOut) (override: `\(outcome.guard.option)`)"
        case .bypassed:
            self.outcome = .bypassed
            wording = "\(text.reason) (`\(outcome.guard.option)`)"
        }
    }
}
