import CampaignMessages
import CampaignModel
import JSON
import Time

/// The display name of a platform's message field.
///
/// Fields with the same meaning on every platform share a name and a value format.
struct FieldName {
    private enum Meaning {
        case text(String)
        case life
        case priority
        case collapse
        case other
    }

    /// The name of the fields for a message's lifetime.
    static let life = "how long FCM keeps it"

    private let path: [String]
    private let platform: Platform
    private let meaning: Meaning

    init(_ path: [String], on platform: Platform) {
        self.path = path
        self.platform = platform
        meaning = Self.meaning(of: path, on: platform)
    }

    private static func meaning(of path: [String], on platform: Platform) -> Meaning {
        switch path {
        case ["notification", "title"], ["notification", "body"], ["notification", "image"]:
            .text(path[1])
        case platform.lifePath: .life
        case ["android", "priority"], ["apns", "headers", "apns-priority"],
            ["webpush", "headers", "Urgency"]:
            .priority
        case ["android", "notification", "tag"], ["android", "collapse_key"],
            ["apns", "headers", "apns-collapse-id"], ["webpush", "headers", "Topic"]:
            .collapse
        default: .other
        }
    }

    var text: String {
        switch meaning {
        case .text(let name): name
        case .life: Self.life
        case .priority: "priority"
        case .collapse: "collapse key"
        case .other: path.joined(separator: ".")
        }
    }

    func wording(_ value: JSONValue) -> String {
        switch meaning {
        case .life: value.stringValue.map(life) ?? value.wording
        case .priority: value.stringValue.map(priority) ?? value.wording
        case .text, .collapse, .other: value.wording
        }
    }

    /// Formats a duration, an end time, or the placeholder that a preview shows for both.
    private func life(_ text: String) -> String {
        if text == "0" || text == "0s" { return DeliveryWording.atOnce }
        if let end = text.dropping("seconds until ") { return "until \(end)" }
        let sending = text.dropping("moment of sending + ")?.split(separator: " ").first
        let digits = sending ?? (platform == .android ? text.dropLast() : text[...])
        guard let seconds = Int64(digits) else { return text }
        return platform == .apple && sending == nil
            ? "until \(Instant(secondsSince1970: seconds).utcText)"
            : "up to \(DurationText.text(seconds: seconds))"
    }

    private func priority(_ text: String) -> String {
        switch (platform, text) {
        case (.apple, "10"): "high"
        case (.apple, "5"): "normal"
        default: text.lowercased()
        }
    }
}

extension String {
    /// The text after a prefix; nil if it has another prefix.
    fileprivate func dropping(_ beginning: String) -> Substring? {
        hasPrefix(beginning) ? dropFirst(beginning.count) : nil
    }
}
