import CampaignLoading
import CampaignMessages
import CampaignModel
import Diagnostics

extension RulePage {
    static let highPriorityShowsNothing = RulePage(
        .highPriorityShowsNothing,
        whatItDoes: """
            Finds high priority on messages that show nothing.

            It is a warning for a ping, and for data to topics and conditions; a note for data to \
            registrations, because an app may show such data itself, as chats do. With a time to \
            live of 0 nothing is reported: a call is now or never and has to wake the phone.
            """,
        whyIsThisBad: """
            High priority is meant for what the person sees. Android lowers the priority of an app \
            whose messages don't lead to notifications, and on Apple platforms a data message may \
            only use priority 5.

            What people are to see is a notification message, which FCM displays without the app: \
            an alert of a storm, with high priority. What the app is to work on is a data message: \
            a sync ping has normal priority and waits until the phone is awake. A chat is data \
            that the app decrypts and shows at once, and may have high priority.
            """,
        example: """
            campaign: tide-table-sync
            audience: { topic: tides }
            message:
              data: { sync: tide-table }
            delivery: { priority: high }
            """,
        useInstead: """
            campaign: tide-table-sync
            audience: { topic: tides }
            message:
              data: { sync: tide-table }
            delivery: { priority: normal }
            """,
        source: """
            Firebase documentation, Set and manage Android message priority; Firebase \
            documentation, About FCM messages, Message types; Firebase reference, REST resource \
            projects.messages
            """
    )
}

extension Rule {
    static let highPriorityShowsNothing = Rule.ofWholeCampaigns(
        .highPriorityShowsNothing
    ) { subject, log in
        guard let platform = subject.silentPlatform, let place = subject.highPriority(platform),
            subject.lives.first(where: { $0.platform == platform })?.seconds != 0
        else { return }
        log.report(.highPriorityShowsNothing(subject, platform, at: place.span))
    }
}

/// The place that requests high priority.
private struct PriorityPlace {
    let span: SourceSpan?
}

extension CampaignSubject {
    /// The platform on which high priority has no effect.
    ///
    /// It is Android, or Apple if Android receives nothing; nil if one of them shows a
    /// notification.
    fileprivate var silentPlatform: Platform? {
        let kinds = [Platform.android, .apple].map { ($0, kind(on: $0)) }
            .filter { $0.1 != .nothing }
        guard let first = kinds.first, !kinds.contains(where: \.1.showsSomething) else {
            return nil
        }
        return first.0
    }

    fileprivate func highPriority(_ platform: Platform) -> PriorityPlace? {
        let path = ["android", "priority"]
        if platform == .android, let written = text(at: path) {
            return written.lowercased() == "high" ? PriorityPlace(span: span(at: path)) : nil
        }
        // Another rule checks Apple's own field.
        guard campaign.delivery.priority == .high,
            platform == .android || text(at: ["apns", "headers", "apns-priority"]) == nil
        else { return nil }
        return PriorityPlace(span: declaration?.delivery?.value.priority?.span)
    }
}

extension Diagnostic {
    fileprivate static func highPriorityShowsNothing(
        _ subject: CampaignSubject,
        _ platform: Platform,
        at span: SourceSpan?
    ) -> Diagnostic {
        let isPing = subject.kind(on: platform) == .ping
        let mayShowItself = !subject.campaign.target.reachesSubscribers && !isPing
        return Diagnostic(
            rule: .highPriorityShowsNothing,
            severity: mayShowItself ? .note : .warning,
            message: "high priority on a message that shows nothing",
            span: span,
            label: platform == .android
                ? "Android may lower it, Apple platforms allow only 5"
                : "Apple platforms allow only 5",
            help: [
                mayShowItself
                    ? "keep it where the app shows something at once, else write `normal`"
                    : "write `normal`, or a `notification` for people to see"
            ]
        )
    }
}
