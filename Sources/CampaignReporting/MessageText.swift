import CampaignMessages
import CampaignModel
import CampaignPlanning
import FCMWire
import Scheduling

/// A message in a few lines: what is shown, and what it is and how it is delivered on each
/// platform.
///
/// Platforms on which it is the same share a line.
struct MessageText {
    private let template: MessageTemplate
    private let content: MessageContent
    private let audience: PlannedAudience?
    private let key: DeduplicationKey?

    /// `key`: that of the occurrence, which says nothing about older messages.
    init(template: MessageTemplate, audience: PlannedAudience?, key: DeduplicationKey? = nil) {
        self.template = template
        self.audience = audience
        self.key = key
        content = MessageContent(fields: template.fields)
    }

    var lines: [String] {
        let texts = Platform.allCases.map { ($0, describe($0)) }
        let groups = Dictionary(grouping: texts, by: \.1).values.sorted {
            $0[0].0.rank < $1[0].0.rank
        }
        let platforms = groups.map { group in
            let names = group.map(\.0.rawValue)
            let name =
                names.count == Platform.allCases.count
                ? "everywhere" : names.joined(separator: ", ")
            return "\(name): \(group[0].1)"
        }
        return (title.map { [$0] } ?? []) + platforms + ownKey
    }

    private var ownKey: [String] {
        guard let key, Platform.allCases.contains(where: { text($0.replacementPath) == key.text })
        else { return [] }
        return ["should it be repeated, it replaces itself: key \(key)"]
    }

    private var title: String? {
        let texts = ["title", "body"].compactMap { text(["notification", $0]) }
        return texts.isEmpty ? nil : "“" + texts.joined(separator: " — ") + "”"
    }

    private func describe(_ platform: Platform) -> String {
        let kind = content.kind(on: platform)
        guard kind != .nothing else { return "receives nothing" }
        let parts = [words(kind), life(platform), priority(platform), collapse(platform)]
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    /// What has no content collapses, where a topic or condition is addressed (Firebase
    /// documentation, About FCM messages).
    private func words(_ kind: MessageKind) -> String {
        guard kind == .ping else { return kind.rawValue }
        return switch audience {
        case .topic?, .condition?: "ping, of which a waiting phone keeps only the last"
        default: kind.rawValue
        }
    }

    private func text(_ path: [String]) -> String? {
        content.value(at: path)?.stringValue.map(TextStyle.safe)
    }
}

// MARK: - Delivery in words

extension MessageText {
    /// What FCM keeps where nothing is written: four weeks, and 30 days on Apple platforms.
    private func life(_ platform: Platform) -> String {
        if let end = template.end(on: platform) { return "kept until \(end.utcText)" }
        return switch platform {
        case .android: text(["android", "ttl"]).map(kept) ?? "kept up to 4 weeks"
        case .web:
            text(["webpush", "headers", "TTL"]).map { kept($0 + "s") } ?? "kept up to 4 weeks"
        case .apple:
            if let seconds = template.appleTimeToLive {
                kept("\(seconds)s")
            } else {
                switch text(["apns", "headers", "apns-expiration"]) {
                case nil: "kept up to 30 days"
                case "0"?: kept("0s")
                case let moment?: "kept until UNIX time \(moment)"
                }
            }
        }
    }

    private func kept(_ duration: String) -> String {
        guard duration != "0s" else { return "now or never" }
        let seconds = Int64(duration.dropLast())
        return "kept up to " + (seconds.map { DurationText.text(seconds: $0) } ?? duration)
    }

    private func priority(_ platform: Platform) -> String? {
        switch platform {
        case .android: text(["android", "priority"]).map { $0.lowercased() + " priority" }
        case .apple: text(["apns", "headers", "apns-priority"]).map(applePriority)
        case .web: text(["webpush", "headers", "Urgency"]).map { $0 + " priority" }
        }
    }

    private func applePriority(_ number: String) -> String {
        switch number {
        case "10": "high priority"
        case "5": "normal priority"
        default: "priority \(number)"
        }
    }

    private func collapse(_ platform: Platform) -> String? {
        let paths =
            switch platform {
            case .android: [["android", "collapse_key"], ["android", "notification", "tag"]]
            case .apple: [["apns", "headers", "apns-collapse-id"]]
            case .web: [["webpush", "headers", "Topic"]]
            }
        return paths.compactMap(text).first { $0 != key?.text }.map { "replaces an older `\($0)`" }
    }
}

extension Platform {
    /// The place of a platform in every enumeration.
    var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
