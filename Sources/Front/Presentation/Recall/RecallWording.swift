import CampaignMessages
import CampaignModel
import Planning
import State

/// Says what a recall or a correction does.
struct RecallWording {
    private let plan: RecallPlan

    init(_ plan: RecallPlan) {
        self.plan = plan
    }

    /// What the recall can do on each platform on which the message shows something.
    var effects: [String] {
        Platform.allCases.compactMap { platform in
            effect(on: platform).map { "\(platform.displayName): \($0)" }
        }
    }

    /// Nil if everything was sent.
    var cancelled: String? {
        plan.unsent > 0 ? "\(plan.unsent.counting("request")) not sent yet: cancelled" : nil
    }

    /// The recipients.
    var address: String {
        let unknown = plan.unit.tally[.unknown] + plan.unit.open
        guard case .registrations = plan.unit.target else {
            return "one message to the \(plan.unit.wording): it reaches the devices that are "
                + "subscribed now, which may be others than then"
        }
        let counts =
            "\(plan.unit.tally[.accepted].grouped) accepted"
            + (unknown > 0 ? ", \(unknown.grouped) unknown" : "")
        return "\(plan.reached.counting("registration")) (\(counts)); rejected and unsent ones get "
            + "nothing"
    }

    /// The text that replaces the notification.
    var message: String {
        switch plan.message {
        case .silent: "silent: data, with which the app removes the notification by its key"
        case .notification(let title, let body):
            "text: "
                + [title, body].compactMap(\.self).map { "“\(TextStyle.safe($0))”" }
                .joined(separator: ", ")
        }
    }

    /// Nil if the message shows nothing on the platform.
    private func effect(on platform: Platform) -> String? {
        if plan.effect.left.contains(platform) {
            return "nothing: the message has no key there, so a second one would appear next to it"
        }
        guard plan.effect.replaced.contains(platform) else { return nil }
        return switch (plan.message, platform) {
        case (.notification, .android):
            "waiting notifications are replaced, shown ones are overwritten; a dismissed one appears "
                + "again with this text, because FCM cannot prevent that"
        case (.notification, .apple):
            "waiting notifications are replaced, shown ones are overwritten; a dismissed one appears "
                + "again with this text, because APNs cannot prevent that"
        case (.notification, .web):
            "shown notifications are overwritten, waiting ones when they arrive; a dismissed one "
                + "appears again with this text"
        case (.silent, .android):
            "the app must remove the notification; a waiting one may still appear, because data "
                + "replaces no notification"
        case (.silent, .apple):
            "the app must remove the notification; APNs may delay or drop background pushes, and a "
                + "waiting notification still appears"
        case (.silent, .web):
            "the service worker must close the notification; a waiting one still appears"
        }
    }
}
