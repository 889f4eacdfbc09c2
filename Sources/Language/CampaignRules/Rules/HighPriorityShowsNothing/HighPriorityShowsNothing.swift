import CampaignLoading
import CampaignMessages
import CampaignModel
import Diagnostics

extension Rule {
    static let highPriorityShowsNothing = Rule.ofWholeCampaigns(
        .highPriorityShowsNothing
    ) { subject, log in
        guard let platform = subject.silentPlatform, let place = subject.highPriority(platform),
            subject.lives.first(where: { $0.platform == platform })?.seconds != 0
        else { return }
        log.report(.highPriorityShowsNothing(subject, on: platform, at: place.span))
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
    /// notification. Live Activities do not count, because APNs accepts high priority for them.
    fileprivate var silentPlatform: Platform? {
        let kinds = [Platform.android, .apple].map { ($0, kind(on: $0)) }
            .filter { $0.1 != .nothing && $0.1 != .liveActivity }
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
        on platform: Platform,
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
                ? "Android may lower the priority, and Apple allows only 5"
                : "Apple allows only 5",
            help: [
                mayShowItself
                    ? "write `normal`, unless the app shows something at once"
                    : "write `normal`, or add a `notification`"
            ]
        )
    }
}
