import CampaignLoading
import CampaignModel
import Diagnostics

extension RulePage {
    static let testWording = RulePage(
        .testWording,
        whatItDoes: """
            Finds the wording of a test in what people would see of a campaign.

            That is a text that says nothing else (`Test`, `test push 2, please ignore`, \
            `foo bar`, `aaaa`), one that is marked as a test (`[TEST] …`, `TEST: …`), and words \
            that stand for a text to come (`asdf`, `lorem ipsum`, `TODO`, `FIXME`, `TBD`). \
            `Test your knowledge of tides` and `Crash test results` pass.

            The rule looks at titles, subtitles, texts and alerts of every platform, variant and \
            language, where the project has an environment with `protected: true` and the \
            campaign's audience, or each topic that it names, is not marked `test: true`.
            """,
        whyIsThisBad: """
            What was sent cannot be called back: everybody gets the text that was meant for one \
            phone on a desk.
            """,
        example: """
            === herald.yaml
            version: 1
            project: tidewatch
            topics: { tides: {} }
            environments:
              production:
                fcm: { project_id: tidewatch-b5ae1 }
                protected: true
            === campaigns/example.yaml
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: "[TEST] Spring tide", body: Stay off the pier. }
            """,
        useInstead: """
            === herald.yaml
            version: 1
            project: tidewatch
            topics: { tides: {}, team: { test: true } }
            environments:
              production:
                fcm: { project_id: tidewatch-b5ae1 }
                protected: true
            === campaigns/example.yaml
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: Spring tide, body: Stay off the pier. }
            ---
            campaign: spring-tide-trial
            audience: { topic: team }
            message:
              notification: { title: "[TEST] Spring tide", body: Stay off the pier. }
            """,
        source: "Herald's own: no document of FCM's knows which texts are tests"
    )
}

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
            message: "this is the wording of a test, and not only testers would get it",
            span: span,
            label: "people would see this",
            help: ["write what they should read, or mark the topic or audience `test: true`"]
        )
    }
}
