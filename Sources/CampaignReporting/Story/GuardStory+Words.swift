import CampaignModel
import CampaignPlanning

extension GuardStory {
    init(_ outcome: GuardOutcome, in environment: EnvironmentID) {
        let text = GuardText(outcome, environment: environment)
        name = outcome.guard.rawValue
        subject = text.subject
        reason = text.reason
        option = outcome.guard.option
        switch outcome.verdict {
        case .acknowledged(_, let words):
            self.outcome = .acknowledged
            acknowledgement = words
            wayOut = nil
        case .refused:
            self.outcome = .refused
            acknowledgement = nil
            wayOut = text.wayOut
        case .bypassed:
            self.outcome = .bypassed
            acknowledgement = nil
            wayOut = nil
        }
    }
}
