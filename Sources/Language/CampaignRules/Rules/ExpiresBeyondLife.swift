import CampaignLoading
import CampaignModel
import Diagnostics
import Time

extension RulePage {
    static let expiresBeyondLife = RulePage(
        .expiresBeyondLife,
        whatItDoes: """
            Finds a `delivery.expires` that lies more than 28 days after the moment of sending.
            """,
        whyIsThisBad: """
            FCM keeps no message longer for Android and the web, so a phone that is away for a \
            month misses it long before the moment that is written. Where the news is worth more, \
            send a second message later.
            """,
        example: """
            campaign: eel-season
            audience: { topic: tides }
            message:
              notification: { title: Eel season, body: Licences at the harbour office }
            schedule: { at: "2037-03-20 07:37" }
            delivery: { expires: "2037-06-01 12:00" }
            """,
        useInstead: """
            campaign: eel-season
            audience: { topic: tides }
            message:
              notification: { title: Eel season, body: Licences at the harbour office }
            schedule: { at: "2037-03-20 07:37" }
            delivery: { expires: "2037-04-15 12:00" }
            """,
        source: "Firebase documentation, About FCM messages, Setting the lifespan of a message"
    )
}

extension Rule {
    static let expiresBeyondLife = Rule.ofCampaigns(.expiresBeyondLife) { subject, log in
        guard let expires = subject.campaign.delivery.expires,
            expires.instant.seconds(since: subject.momentOfSending) > TimeToLive.maximumSeconds
        else { return }
        let span = subject.declaration?.delivery?.value.expires?.span
        log.report(.expiresBeyondLife(at: span))
    }
}

extension Diagnostic {
    fileprivate static func expiresBeyondLife(at span: SourceSpan?) -> Diagnostic {
        Diagnostic(
            rule: .expiresBeyondLife,
            message: "FCM does not keep the message until it expires",
            span: span,
            label: "more than 28 days after it is sent",
            help: ["Android and the web keep it 28 days: write an earlier moment"]
        )
    }
}
