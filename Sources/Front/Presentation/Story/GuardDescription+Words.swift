import CampaignModel
import Planning

extension GuardDescription {
    init(_ outcome: GuardOutcome, in environment: EnvironmentID) {
        let text = GuardText(outcome, environment: environment)
        name = outcome.guard.rawValue
        subject = text.subject
        switch outcome.verdict {
        case .acknowledged(_, let reason):
            self.outcome = .acknowledged
            words = "\(text.reason) (\(reason))"
        case .refused:
            self.outcome = .refused
            words = "\(text.reason); fix: \(text.wayOut) (override: `\(outcome.guard.option)`)"
        case .bypassed:
            self.outcome = .bypassed
            words = "\(text.reason) (`\(outcome.guard.option)`)"
        }
    }
}
