import CampaignMessages
import CampaignModel
import Diagnostics
import JSON

extension Rule {
    static let missingMutableContent = Rule.ofWholeCampaigns(.missingMutableContent) {
        subject,
        log in
        let content = subject.content
        guard subject.kind(on: .apple).showsSomething, content.hasAppleAlert,
            !content.letsExtensionRun, let path = content.partForExtension
        else { return }
        log.report(.missingMutableContent(path, at: subject.span(at: path)))
    }
}

private let payload = ["apns", "payload"]
private let aps = payload + ["aps"]

extension MessageContent {
    fileprivate var hasAppleAlert: Bool {
        let common = fields["notification"]?.objectValue
        return common?.isEmpty == false || value(at: aps + ["alert"]) != nil
    }

    fileprivate var letsExtensionRun: Bool {
        value(at: aps + ["mutable-content"]) == .integer(1)
    }

    /// The path of the first part that only a notification service extension can show: an image, or
    /// the address of a picture, sound or video under a key of the app.
    fileprivate var partForExtension: [String]? {
        let image = ["apns", "fcm_options", "image"]
        if value(at: image) != nil { return image }
        let own = value(at: payload)?.objectValue?.members.first { member in
            member.key != "aps" && member.value.stringValue?.isMediaAddress ?? false
        }
        return own.map { payload + [$0.key] }
    }
}

extension String {
    /// Whether the text is the address of a file that Apple accepts as an attachment (Apple
    /// documentation, UNNotificationAttachment).
    fileprivate var isMediaAddress: Bool {
        guard hasPrefix("https://") || hasPrefix("http://") else { return false }
        let path = prefix { $0 != "?" && $0 != "#" }.lowercased()
        return Self.mediaExtensions.contains(where: path.hasSuffix)
    }

    private static let mediaExtensions = [
        ".jpg", ".jpeg", ".png", ".gif", ".aiff", ".wav", ".mp3", ".m4a", ".mpeg", ".mp4", ".avi",
        ".mov",
    ]
}

extension Diagnostic {
    fileprivate static func missingMutableContent(
        _ path: [String],
        at span: SourceSpan?
    ) -> Diagnostic {
        Diagnostic(
            rule: .missingMutableContent,
            message: "Apple devices ignore `\(path.joined(separator: "."))`",
            span: span,
            label: "only a notification service extension shows it",
            help: ["write `apns: { payload: { aps: { mutable-content: 1 } } }`"]
        )
    }
}
