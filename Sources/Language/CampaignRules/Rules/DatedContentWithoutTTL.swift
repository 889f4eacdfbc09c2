import CampaignMessages
import CampaignModel
import Diagnostics

extension RulePage {
    static let datedContentWithoutTTL = RulePage(
        .datedContentWithoutTTL,
        whatItDoes: """
            Finds a day or an hour in a notification that has neither a time to live nor an \
            expiry.

            These are weekdays, dates such as `20 March` and `2037-03-20`, times such as `09:00` \
            and `5 pm`, and `today`, `tonight`, `tomorrow`. A time to live of any platform is \
            enough.
            """,
        whyIsThisBad: """
            FCM keeps the message four weeks, on Apple platforms 30 days, and a device that comes \
            back then shows news of a day that is over.
            """,
        example: """
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification:
                title: Spring tide on Saturday
                body: Currents up to 4 knots at the harbour mouth
            """,
        useInstead: """
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification:
                title: Spring tide on Saturday
                body: Currents up to 4 knots at the harbour mouth
            delivery: { ttl: 12h }
            """,
        source: """
            Firebase documentation, About FCM messages, Setting the lifespan of a message; \
            Firebase reference, REST resource projects.messages
            """
    )
}

extension Rule {
    static let datedContentWithoutTTL = Rule.ofWholeCampaigns(.datedContentWithoutTTL) {
        subject,
        log in
        guard subject.campaign.delivery.timeToLive == nil,
            subject.campaign.delivery.expires == nil,
            Platform.allCases.allSatisfy({ subject.text(at: $0.lifePath) == nil })
        else { return }
        for text in subject.seenTexts where text.isWording {
            guard let moment = NamedMoment.first(in: text.text) else { continue }
            log.report(.datedContentWithoutTTL(moment, at: subject.span(at: text.path)))
            return
        }
    }
}

extension Diagnostic {
    fileprivate static func datedContentWithoutTTL(
        _ moment: String,
        at span: SourceSpan?
    ) -> Diagnostic {
        Diagnostic(
            rule: .datedContentWithoutTTL,
            message: "the text names `\(moment)`, and nothing says when the message is over",
            span: span,
            label: "kept for four weeks, 30 days on Apple platforms",
            help: ["write `delivery: { ttl: … }`"]
        )
    }
}
