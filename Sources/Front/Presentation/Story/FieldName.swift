import CampaignMessages
import CampaignModel
import JSON
import Time

/// What people call a field of a platform's message; those that mean the same on every platform have
/// one name, and their values the same words.
struct FieldName {
    private enum Meaning {
        case text(String)
        case life
        case priority
        case collapse
        case other
    }

    /// What says how long a message is kept.
    static let life = "kept"

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

    func words(_ value: JSONValue) -> String {
        switch meaning {
        case .life: value.stringValue.map(life) ?? value.words
        case .priority: value.stringValue.map(priority) ?? value.words
        case .text, .collapse, .other: value.words
        }
    }

    /// A length, an end, or what the preview of a message writes in place of both.
    private func life(_ text: String) -> String {
        if text == "0" || text == "0s" { return "now or never" }
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
    /// What stands behind a beginning; nil where it has another.
    fileprivate func dropping(_ beginning: String) -> Substring? {
        hasPrefix(beginning) ? dropFirst(beginning.count) : nil
    }
}
