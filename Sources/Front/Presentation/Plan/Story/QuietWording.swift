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
        case .zones: zones(effect)
        }
    }

    /// The most time zones that are named; the others are counted.
    private static let named = 3

    /// The recipients who have quiet hours at the due time.
    private func zones(_ effect: QuietEffect) -> String {
        let leftOut =
            effect.leftOut == 0
            ? nil
            : "\(effect.leftOut.counting("message is", plural: "messages are")) not sent, because "
                + "quiet hours in the recipients' time zones end too late for this send"
        guard !effect.zones.isEmpty else { return leftOut ?? "" }
        let names = effect.zones.prefix(Self.named).map { zone in
            let until = clock.moment(zone.until)
            return "\(zone.name) until \(until.local) \(until.zone)"
        }
        let more = effect.zones.count - names.count
        let all = (names + (more > 0 ? [others(more, of: effect)] : [])).joined(separator: ", ")
        let who = effect.count.map { "\($0.counting("message is", plural: "messages are")) " }
        return (who ?? "messages are ")
            + "deferred by quiet hours in the recipients' time zones: \(all)\(late(effect))"
            + (leftOut.map { "; \($0)" } ?? "")
    }

    private func others(_ count: Int, of effect: QuietEffect) -> String {
        let last = effect.zones.last.map { zone in
            let until = clock.moment(zone.until)
            return ", the last until \(until.local) \(until.zone)"
        }
        return "and \(count.counting("more time zone"))\(last ?? "")"
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
