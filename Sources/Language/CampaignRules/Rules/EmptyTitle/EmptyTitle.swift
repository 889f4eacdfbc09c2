import CampaignLoading
import CampaignMessages
import CampaignModel
import Diagnostics
import JSON

extension Rule {
    static let emptyTitle = Rule.ofWholeCampaigns(.emptyTitle) { subject, log in
        for text in subject.seenTexts where text.isWording && text.text.isInvisible {
            guard let key = text.path.last, key != "subtitle",
                !subject.content.hasKeyOfApp(beside: text.path)
            else { continue }
            log.report(.emptyText(key, at: subject.span(at: text.path)))
        }
        if subject.content.hasCommonWords { return }
        let wordless = Platform.allCases.filter { subject.content.isWordless(on: $0) }
        guard let first = wordless.first else { return }
        let place = ([first.notification] + [["notification"]]).first {
            subject.content.value(at: $0) != nil
        }
        let span = subject.keySpan(at: place ?? [])
        if let place, let key = span.flatMap({ subject.inheritedKey(of: $0) }) {
            log.report(.inheritedWithoutWords(wordless, path: place, from: key, at: span))
        } else {
            log.report(.withoutWords(wordless, at: span))
        }
    }
}

extension MessageContent {
    /// Whether a key next to the text refers to a text in the app.
    fileprivate func hasKeyOfApp(beside path: [String]) -> Bool {
        let holder = Array(path.dropLast())
        let key = path.last ?? ""
        let apple = key == "body" ? "loc-key" : "\(key)-loc-key"
        return [apple, "\(key)_loc_key"].contains { value(at: holder + [$0]) != nil }
    }

    /// Whether every platform has text to show.
    fileprivate var hasCommonWords: Bool {
        guard let common = fields["notification"] else { return false }
        return common["title"] != nil || common["body"] != nil
    }

    /// Whether a notification is shown on the platform, and the platform's block has no text.
    fileprivate func isWordless(on platform: Platform) -> Bool {
        let isCommonShown = fields["notification"]?.objectValue?.isEmpty == false
        let own = value(at: platform.notification)
        guard isCommonShown || own.map(\.isShown) == true else { return false }
        if own?.stringValue != nil { return false }
        return !(["title", "body"] + platform.keysOfApp).contains { own?[$0] != nil }
    }
}

extension JSONValue {
    fileprivate var isShown: Bool { objectValue.map { !$0.isEmpty } ?? true }
}

extension Platform {
    fileprivate var notification: [String] {
        switch self {
        case .android: ["android", "notification"]
        case .apple: ["apns", "payload", "aps", "alert"]
        case .web: ["webpush", "notification"]
        }
    }

    /// Keys that refer to a title or body in the app; a subtitle also counts as text.
    fileprivate var keysOfApp: [String] {
        switch self {
        case .android: ["title_loc_key", "body_loc_key"]
        case .apple: ["subtitle", "title-loc-key", "subtitle-loc-key", "loc-key"]
        case .web: []
        }
    }
}

extension String {
    /// Whether the text contains only white space and invisible characters.
    fileprivate var isInvisible: Bool {
        unicodeScalars.allSatisfy { scalar in
            scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
                || scalar.properties.generalCategory == .control || scalar == "\u{2800}"
        }
    }
}

extension Diagnostic {
    fileprivate static func emptyText(_ key: String, at span: SourceSpan?) -> Diagnostic {
        Diagnostic(
            rule: .emptyTitle,
            message: "`\(key)` contains no visible characters",
            span: span,
            label: "shows nothing",
            help: ["write a visible text, or remove the key"]
        )
    }

    fileprivate static func withoutWords(
        _ platforms: [Platform],
        at span: SourceSpan?
    ) -> Diagnostic {
        Diagnostic(
            rule: .emptyTitle,
            message: "the notification has no title and no body on \(platforms.names)",
            span: span,
            label: "shows nothing to read",
            help: ["write a `title` or a `body`, or send only `data` to show nothing"]
        )
    }

    /// `path`: the notification's path in the message.
    ///
    /// `key`: the block that contains it.
    fileprivate static func inheritedWithoutWords(
        _ platforms: [Platform],
        path: [String],
        from key: String,
        at span: SourceSpan?
    ) -> Diagnostic {
        let removal = path.reversed().reduce("null") { "{ \($1): \($0) }" }
        return Diagnostic(
            rule: .emptyTitle,
            message: "a notification from `\(key)` has no title and no body on "
                + platforms.names,
            span: span,
            label: "devices show a blank notification",
            help: [
                "write a `title` or a `body` in the campaign, or remove the notification there: "
                    + "`message: \(removal)`"
            ]
        )
    }
}
