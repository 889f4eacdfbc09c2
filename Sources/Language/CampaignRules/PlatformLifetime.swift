import CampaignLoading
import CampaignMessages
import CampaignModel
import Diagnostics
import JSON
import Time

/// The lifetime in a platform's field.
struct PlatformLifetime: Sendable {
    let platform: Platform
    let seconds: Int64
    /// Whether the author wrote the platform's own field; otherwise it comes from `delivery`.
    let isHandwritten: Bool
}

extension CampaignSubject {
    /// The explicit lifetimes for platforms that receive content.
    ///
    /// There is none if the platform uses FCM's own limit, or if the expiry has passed at the send
    /// time.
    var lives: [PlatformLifetime] {
        platforms { $0 != .nothing }.compactMap(life)
    }

    func life(on platform: Platform) -> PlatformLifetime? {
        campaign.life(on: platform, saying: content, at: now)
    }

    /// Returns the span of a lifetime.
    func place(of life: PlatformLifetime) -> SourceSpan? {
        if life.isHandwritten { return span(at: life.platform.lifePath) }
        let delivery = declaration?.delivery?.value
        return delivery?.timeToLive?.span ?? delivery?.expires?.span
    }

    /// Whether a platform's effective priority is high.
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
    /// Returns the explicit lifetime for a platform that receives content.
    func life(
        on platform: Platform,
        saying content: MessageContent,
        at now: Instant
    ) -> PlatformLifetime? {
        let written = content.value(at: platform.lifePath) != nil
        let seconds =
            written ? handwrittenLife(on: platform, of: content, from: now) : commonLife(now)
        return seconds.map {
            PlatformLifetime(platform: platform, seconds: $0, isHandwritten: written)
        }
    }

    /// Returns the send time according to the files.
    ///
    /// It is the scheduled time, even if that has passed, or now.
    func momentOfSending(at now: Instant) -> Instant {
        switch schedule {
        case .immediate, .repeating: now
        case .at(let moment): moment.instant
        }
    }

    private func commonLife(_ now: Instant) -> Int64? {
        if let life = delivery.timeToLive { return life.seconds }
        if case .repeating = schedule { return nil }
        return delivery.expires.flatMap { life(until: $0.instant, from: now) }
    }

    private func life(until end: Instant, from now: Instant) -> Int64? {
        let seconds = end.seconds(since: momentOfSending(at: now))
        return seconds > 0 ? seconds : nil
    }

    private func handwrittenLife(
        on platform: Platform,
        of content: MessageContent,
        from now: Instant
    ) -> Int64? {
        switch content.statedLife(on: platform) {
        case .seconds(let seconds)?: seconds
        case .until(let end)?: life(until: end, from: now)
        case nil: nil
        }
    }
}
