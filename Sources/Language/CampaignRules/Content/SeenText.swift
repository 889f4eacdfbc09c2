import CampaignLoading
import CampaignModel
import Diagnostics
import JSON

/// A visible text of a notification, and the path to it.
struct SeenText: Sendable {
    /// Whether it is a title, a subtitle, a body or an alert, not an argument of a text in the app.
    let isWording: Bool
    let path: [String]
    let text: String
}

extension MessageContent {
    /// The visible texts of the notification on all platforms, in the author's order.
    var seenTexts: [SeenText] {
        var found: [SeenText] = []
        for holder in Self.holders {
            switch value(at: holder) {
            case .string(let text):
                found.append(SeenText(isWording: true, path: holder, text: text))
            case .object(let object):
                for member in object.members { Self.collect(member, in: holder, into: &found) }
            default: break
            }
        }
        return found
    }

    private static let holders = [
        ["notification"], ["android", "notification"],
        ["android_v2", "remote_notification", "notification"],
        ["apns", "payload", "aps", "alert"], ["webpush", "notification"],
    ]

    private static func collect(
        _ member: JSONObject.Member,
        in holder: [String],
        into found: inout [SeenText]
    ) {
        switch (member.key, member.value) {
        case ("title", .string(let text)), ("subtitle", .string(let text)),
            ("body", .string(let text)):
            found.append(SeenText(isWording: true, path: holder + [member.key], text: text))
        case ("ticker", .string(let text)), ("summary-arg", .string(let text)):
            found.append(SeenText(isWording: false, path: holder + [member.key], text: text))
        case ("title_loc_args", .array(let texts)), ("body_loc_args", .array(let texts)),
            ("title-loc-args", .array(let texts)), ("subtitle-loc-args", .array(let texts)),
            ("loc-args", .array(let texts)):
            collect(texts, at: holder + [member.key], into: &found)
        case ("actions", .array(let actions)):
            collect(actions, under: "title", at: holder + ["actions"], into: &found)
        default: break
        }
    }

    private static func collect(
        _ values: [JSONValue],
        under key: String? = nil,
        at path: [String],
        into found: inout [SeenText]
    ) {
        let key = key.map { [$0] } ?? []
        for (number, value) in values.enumerated() {
            let text = key.reduce(value) { $0[$1] ?? .null }.stringValue
            guard let text else { continue }
            let path = path + [String(number)] + key
            found.append(SeenText(isWording: false, path: path, text: text))
        }
    }
}

extension MessageDeclaration {
    /// Returns the span of a part of a text, counted in its UTF-8 bytes.
    ///
    /// If escapes or line breaks make the file differ from the text, it returns the span of the
    /// whole text.
    func span(of part: Range<Int>, in text: String, at path: [String]) -> SourceSpan? {
        guard let whole = span(at: path) else { return nil }
        // Quotation marks belong to the span but not to the text.
        let quotes = whole.end - whole.start - text.utf8.count
        guard quotes == 0 || quotes == 2 else { return whole }
        let start = whole.start + quotes / 2
        return SourceSpan(
            source: whole.source,
            start: start + part.lowerBound,
            end: start + part.upperBound
        )
    }
}
