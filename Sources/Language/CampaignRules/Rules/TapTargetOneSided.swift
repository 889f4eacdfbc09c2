import CampaignMessages
import CampaignModel
import Diagnostics

extension RulePage {
    static let tapTargetOneSided = RulePage(
        .tapTargetOneSided,
        whatItDoes: """
            Finds notifications whose tap leads somewhere on one platform and nowhere on another.

            The target is `click_action` on Android, `category` on Apple platforms, \
            `fcm_options.link` or the notification's own `data` or `actions` on the web; and on \
            Android and Apple platforms data, which the app gets with the tap.
            """,
        whyIsThisBad: "The same tap opens the subject here and nothing in particular there.",
        example: """
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
              android: { notification: { click_action: OPEN_TIDES } }
            """,
        useInstead: """
            campaign: spring-tide
            audience: { topic: tides }
            message:
              notification: { title: Spring tide, body: Currents up to 4 knots }
              android: { notification: { click_action: OPEN_TIDES } }
              apns: { payload: { aps: { category: TIDES } } }
              webpush: { fcm_options: { link: "https://tidewatch.example/tides" } }
            """,
        source: """
            Firebase documentation, About FCM messages, Example: notification message with \
            platform-specific delivery options
            """
    )
}

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
            message: "a tap on this notification has no target on \(platforms.names)",
            span: span,
            label: "it has one here",
            help: ["write \(ways.joined(separator: " and ")) too"]
        )
    }
}
