import CampaignLoading
import CampaignMessages
import CampaignModel
import Diagnostics
import JSON
import Time

/// How long a platform is asked to keep a message, and by which field.
struct PlatformLife: Sendable {
    let platform: Platform
    let seconds: Int64
    /// The author wrote the platform's own field; otherwise it comes from `delivery`.
    let isHandwritten: Bool
}

extension CampaignSubject {
    /// The lives that the files state for platforms which get something; none where the platform
    /// has FCM's own limit, or an expiry that has passed when the message is sent.
    var lives: [PlatformLife] {
        platforms { $0 != .nothing }.compactMap(life)
    }

    func life(on platform: Platform) -> PlatformLife? {
        campaign.life(on: platform, saying: content, at: now)
    }

    /// Where a life was written.
    func place(of life: PlatformLife) -> SourceSpan? {
        if life.isHandwritten { return span(at: life.platform.lifePath) }
        let delivery = declaration?.delivery?.value
        return delivery?.timeToLive?.span ?? delivery?.expires?.span
    }

    /// Whether a platform is asked to be quick, by whichever field says so in the end.
    func isHigh(on platform: Platform) -> Bool {
        let fields = MessageContent(fields: DeliveryLowering(campaign).template.fields)
        return switch platform {
        case .android:
            ["high", "HIGH"].contains(fields.value(at: ["android", "priority"])?.stringValue)
        case .apple: fields.value(at: ["apns", "headers", "apns-priority"]) == "10"
        case .web: fields.value(at: ["webpush", "headers", "Urgency"]) == "high"
        }
    }
}

extension Campaign {
    /// The life that is stated for a platform which gets something.
    func life(
        on platform: Platform,
        saying content: MessageContent,
        at now: Instant
    ) -> PlatformLife? {
        let written = content.value(at: platform.lifePath) != nil
        let seconds =
            written ? handwrittenLife(on: platform, of: content, now) : commonLife(now)
        return seconds.map {
            PlatformLife(platform: platform, seconds: $0, isHandwritten: written)
        }
    }

    /// When it is sent, as far as the files say: at its moment, also where that has passed, else
    /// at once.
    func momentOfSending(at now: Instant) -> Instant {
        switch schedule {
        case .immediate, .repeating: now
        case .at(let moment): moment.instant
        }
    }

    private func commonLife(_ now: Instant) -> Int64? {
        if let life = delivery.timeToLive { return life.seconds }
        if case .repeating = schedule { return nil }
        return delivery.expires.flatMap { life(until: $0.instant, now) }
    }

    private func life(until end: Instant, _ now: Instant) -> Int64? {
        let seconds = end.seconds(since: momentOfSending(at: now))
        return seconds > 0 ? seconds : nil
    }

    private func handwrittenLife(
        on platform: Platform,
        of content: MessageContent,
        _ now: Instant
    ) -> Int64? {
        switch content.statedLife(on: platform) {
        case .seconds(let seconds)?: seconds
        case .until(let end)?: life(until: end, now)
        case nil: nil
        }
    }
}
