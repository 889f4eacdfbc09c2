import CampaignMessages
import CampaignModel
import JSON
import Time

/// Describes the delivery settings of one platform.
struct DeliveryWording {
    private let template: MessageTemplate
    private let content: MessageContent
    private let platform: Platform
    private let kind: MessageKind
    private let key: DeduplicationKey?

    /// `key`: the occurrence's own key, which replaces no older message.
    init(_ template: MessageTemplate, on platform: Platform, key: DeduplicationKey?) {
        self.template = template
        self.platform = platform
        self.key = key
        content = MessageContent(fields: template.fields)
        kind = content.kind(on: platform)
    }

    /// How long FCM or Apple's service keeps the message for an offline device.
    ///
    /// Without a TTL, FCM keeps a message for four weeks and requests 30 days from Apple's service
    /// (Firebase documentation, Setting the lifespan of a message; Firebase reference, ApnsConfig).
    var life: String {
        if let end = template.end(on: platform) { return "kept until \(end.utcText)" }
        switch platform {
        case .android:
            return text(["android", "ttl"]).map(kept) ?? "kept up to 4 weeks (FCM's default)"
        case .web:
            return text(["webpush", "headers", "TTL"]).map { kept($0 + "s") }
                ?? "kept up to 4 weeks (FCM's default)"
        case .apple:
            if let seconds = template.appleTimeToLive { return kept("\(seconds)s") }
            return switch text(["apns", "headers", "apns-expiration"]) {
            case nil: "kept up to 30 days (FCM's default)"
            case "0"?: kept("0s")
            case let moment?: "kept until UNIX time \(moment)"
            }
        }
    }

    /// The lifetime of a message with a TTL of 0.
    static let atOnce = "delivered at once or discarded (TTL 0)"

    /// Whether the service discards the message if it cannot deliver it at once.
    ///
    /// Such a message is never stored, so no newer one replaces it.
    var isAtOnce: Bool { life == Self.atOnce }

    private func kept(_ duration: String) -> String {
        guard Double(duration.dropLast()) != 0 else { return Self.atOnce }
        let seconds = Int64(duration.dropLast())
        return "kept up to " + (seconds.map { DurationText.text(seconds: $0) } ?? duration)
    }

    var priority: String {
        let written: String? =
            switch platform {
            case .android: text(["android", "priority"])?.lowercased()
            case .apple: text(["apns", "headers", "apns-priority"]).map(applePriority)
            case .web: text(["webpush", "headers", "Urgency"])
            }
        return (written ?? "default") + " priority"
    }

    private func applePriority(_ number: String) -> String {
        switch number {
        case "10": "high"
        case "5": "normal"
        default: number
        }
    }

    /// On Android, only the tag makes a notification replace another.
    ///
    /// FCM applies `collapse_key` to data messages.
    private var collapsePath: [String] {
        switch platform {
        case .android where kind.showsSomething: ["android", "notification", "tag"]
        case .android: ["android", "collapse_key"]
        case .apple: ["apns", "headers", "apns-collapse-id"]
        case .web: ["webpush", "headers", "Topic"]
        }
    }

    var replaces: String? {
        guard kind != .nothing, let written = text(collapsePath), written != key?.text else {
            return nil
        }
        return "replaces an older “\(written)”"
    }

    /// The fields that this description covers.
    var told: Set<[String]> {
        let priority: [String] =
            switch platform {
            case .android: ["android", "priority"]
            case .apple: ["apns", "headers", "apns-priority"]
            case .web: ["webpush", "headers", "Urgency"]
            }
        let replacement = text(platform.replacementPath)
        let isTold = replacement == key?.text || replacement == text(collapsePath)
        let key = isTold ? [platform.replacementPath] : []
        return Set([platform.lifePath, priority, collapsePath] + key)
    }

    private func text(_ path: [String]) -> String? { content.value(at: path)?.stringValue }
}
