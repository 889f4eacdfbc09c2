import CampaignLoading
import CampaignModel
import Diagnostics

extension Rule {
    static let testWording = Rule.ofCampaigns(.testWording) { subject, log in
        let context = subject.context
        guard context.hasProtectedEnvironment, !context.isTest(subject.campaign) else { return }
        for text in subject.seenTexts where text.isWording {
            guard let place = TestText.place(in: text.text) else { continue }
            let span = subject.message?.span(of: place, in: text.text, at: text.path)
            log.report(.testWording(at: span))
        }
    }
}

extension RuleContext {
    fileprivate func isTest(_ campaign: Campaign) -> Bool {
        switch campaign.target {
        case .topic, .condition: project.isTest(campaign.target)
        case .registrations: campaign.audience.map(testAudiences.contains) ?? false
        case .group: false
        }
    }
}

extension Diagnostic {
    fileprivate static func testWording(at span: SourceSpan?) -> Diagnostic {
        Diagnostic(
            rule: .testWording,
            message: "the text looks like a test, but the audience is not a test audience",
            span: span,
            label: "visible test wording",
            help: ["write the final text, or mark the topic or audience `test: true`"]
        )
    }
}
