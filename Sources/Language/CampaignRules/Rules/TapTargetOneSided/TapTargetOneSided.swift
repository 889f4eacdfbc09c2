import CampaignMessages
import CampaignModel
import Diagnostics

extension Rule {
    static let tapTargetOneSided = Rule.ofWholeCampaigns(.tapTargetOneSided) { subject, log in
        let shown = subject.platforms(where: \.showsSomething)
        let targets = shown.map { subject.content.tapTarget(on: $0) }
        guard let target = targets.lazy.compactMap(\.self).first else { return }
        let without = zip(shown, targets).filter { platform, target in
            target == nil && !subject.handsOverData(on: platform)
        }.map(\.0)
        guard !without.isEmpty else { return }
        log.report(.tapTargetOneSided(without, at: subject.span(at: target)))
    }
}

extension CampaignSubject {
    /// Whether the app receives data with the tap.
    fileprivate func handsOverData(on platform: Platform) -> Bool {
        platform != .web && kind(on: platform) == .notificationAndData
    }
}

extension MessageContent {
    /// Returns the path of the field for the target of a tap.
    fileprivate func tapTarget(on platform: Platform) -> [String]? {
        let paths: [[String]] =
            switch platform {
            case .android: [["android", "notification", "click_action"]]
            case .apple: [["apns", "payload", "aps", "category"]]
            case .web:
                [
                    ["webpush", "fcm_options", "link"], ["webpush", "notification", "data"],
                    ["webpush", "notification", "actions"],
                ]
            }
        return paths.first { value(at: $0) != nil }
    }
}

extension Diagnostic {
    fileprivate static func tapTargetOneSided(
        _ platforms: [Platform],
        at span: SourceSpan?
    ) -> Diagnostic {
        let ways = platforms.map { platform in
            switch platform {
            case .android: "`android.notification.click_action`"
            case .apple: "`aps.category`"
            case .web: "`webpush.fcm_options.link`"
            }
        }
        return Diagnostic(
            rule: .tapTargetOneSided,
            message: "the notification has no tap target on \(platforms.names)",
            span: span,
            label: "tap target",
            help: ["also write \(ways.joined(separator: " and "))"]
        )
    }
}
