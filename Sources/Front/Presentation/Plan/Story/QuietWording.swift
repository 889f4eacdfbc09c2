import CampaignModel
import Planning

/// Renders what quiet hours do to a send.
struct QuietWording {
    let clock: StoryClock

    func wording(_ effect: QuietEffect) -> String {
        let until = clock.moment(effect.until)
        let end = "\(until.local) \(until.zone)"
        return switch effect.kind {
        case .moved:
            "is due in quiet hours\(place(effect)), so it is deferred until \(end)\(late(effect))"
        case .fanOut:
            "is due shortly before quiet hours\(place(effect)), and FCM would still deliver it in "
                + "them, so it is deferred until \(end)\(late(effect))"
        case .overtaken:
            "was not sent before quiet hours began\(place(effect)), so it is deferred until "
                + "\(end)\(late(effect))"
        case .interrupted:
            "quiet hours begin before everything is sent, so about "
                + "\(messages(effect)) deferred until \(end)\(late(effect))"
        case .rest:
            effect.count == nil
                ? "is deferred until \(end), when quiet hours are over\(late(effect))"
                : "quiet hours interrupted it, so \(messages(effect)) deferred until "
                    + "\(end)\(late(effect))"
        case .expires: expiry(effect, end: end)
        }
    }

    private func expiry(_ effect: QuietEffect, end: String) -> String {
        if effect.due != nil {
            return "is due in quiet hours\(place(effect)) and is over before they let it go "
                + "(\(end)), so it expires and nothing is sent"
        }
        let rest = effect.count.map { "the last \($0.counting("message"))" } ?? "the message"
        return "\(rest) cannot be sent before quiet hours and will be over after them (\(end)), so "
            + "nothing is sent then"
    }

    private func messages(_ effect: QuietEffect) -> String {
        (effect.count ?? 0).counting("message is", plural: "messages are")
    }

    /// The due time without quiet hours.
    private func place(_ effect: QuietEffect) -> String {
        effect.due.map { due in
            let due = clock.moment(due)
            return " (\(due.local) \(due.zone))"
        } ?? ""
    }

    private func late(_ effect: QuietEffect) -> String {
        effect.mayArriveLater
            ? "; its lifetime lasts into quiet hours, so a device that is offline until then may "
                + "receive it at night" : ""
    }
}
