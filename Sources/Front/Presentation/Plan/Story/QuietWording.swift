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
            "is due in quiet hours\(place(effect)), so it waits until \(end)\(late(effect))"
        case .fanOut:
            "would still go out when quiet hours begin\(place(effect)), so it waits until "
                + "\(end)\(late(effect))"
        case .interrupted:
            "quiet hours begin before everything is sent, so about "
                + "\(messages(effect)) until \(end)"
        case .rest:
            effect.count == nil
                ? "waits until quiet hours end, at \(end)"
                : "quiet hours hold the rest, so \(messages(effect)) until \(end)"
        case .expires:
            effect.due == nil
                ? "the rest expires before quiet hours end (\(end)), so it is not sent"
                : "is due in quiet hours\(place(effect)) and is over before it may be sent "
                    + "(\(end)), so it is not sent"
        }
    }

    private func messages(_ effect: QuietEffect) -> String {
        (effect.count ?? 0).counting("message waits", plural: "messages wait")
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
            ? "; FCM may deliver it in the next quiet hours to devices that are offline until then"
            : ""
    }
}
