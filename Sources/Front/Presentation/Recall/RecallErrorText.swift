import CampaignMessages
package import CampaignModel
package import Planning
import State
package import Time

/// Errors of `herald recall`.
extension ErrorText {
    package static func notRecallable(
        _ id: OccurrenceID,
        because refusal: RecallRefusal,
        at now: Instant
    ) -> ErrorText {
        let name = TextStyle.safe(id.description)
        let moments = MomentWording(now: now)
        switch refusal {
        case .isRecall:
            return ErrorText(
                "\(name) is a recall, which cannot be taken back",
                help: "send a new campaign"
            )
        case .alreadyRequested(let recall):
            let author = recall.recall.map {
                " by \(TextStyle.safe($0.user)) on \(TextStyle.safe($0.host))"
            }
            return ErrorText(
                "\(name) was already recalled\(author ?? ""), \(moments.ago(of: recall.due))",
                help: "see it with `herald status`"
            )
        case .notBegun:
            return ErrorText(
                "\(name) was not sent yet, so there is nothing to take back",
                help: "stop it with `herald pause`, or remove its campaign"
            )
        case .nothingAccepted:
            return ErrorText("FCM accepted no request of \(name), so there is nothing to take back")
        case .showsNothing:
            return ErrorText(
                "\(name) shows no notification that another one can replace",
                help: "send the app a data message with a new campaign"
            )
        case .expired(let end):
            return ErrorText(
                "the message of \(name) expired \(moments.ago(of: end)), and its recall with it",
                help:
                    "send a new campaign with the same collapse key to replace what is still shown"
            )
        case .compacted:
            return ErrorText(
                "the single outcomes of \(name) were dropped, so it is not known who got it"
            )
        case .unreadable: return ErrorText("the stored message of \(name) cannot be read")
        case .replaced(let later, let key):
            return ErrorText(
                "\(TextStyle.safe(later.description)) was sent since then under the same key "
                    + "`\(TextStyle.safe(key.text))` on \(key.platform.displayName), so a recall "
                    + "would replace that notification",
                help: "recall \(TextStyle.safe(later.description)) instead"
            )
        }
    }

    package static func severalRecallable(of campaign: String, names: [String]) -> ErrorText {
        ErrorText(
            "\(TextStyle.safe(campaign)) was sent more than once",
            help: "give one of \(names.map(TextStyle.safe).joined(separator: ", "))"
        )
    }

    /// The list of an occurrence is not stored and not the one of the files.
    package static func recallWithoutList(of id: OccurrenceID, because reason: String) -> ErrorText
    {
        ErrorText(
            "the list of \(TextStyle.safe(id.description)) is no longer stored, and it cannot be read "
                + "again: \(reason)",
            help: "restore the list file that was sent to, and recall again; with `recall` in the "
                + "campaign, Herald keeps the list until the message expires"
        )
    }

    package static func unconfirmedRecall(
        of id: OccurrenceID,
        isInputDisabled: Bool
    ) -> ErrorText {
        let reason =
            isInputDisabled ? "--no-input is given" : "standard input is not a terminal"
        return ErrorText(
            "cannot ask for the name of the occurrence: \(reason)",
            help: "give it with `--confirm \(TextStyle.safe(id.description))`"
        )
    }

    package static func notRecalled(_ id: OccurrenceID) -> ErrorText {
        ErrorText("that is not `\(TextStyle.safe(id.description))`: nothing was recalled")
    }

    package static func recallWaits(for id: OccurrenceID, holder: String) -> ErrorText {
        ErrorText(
            "the recall of \(TextStyle.safe(id.description)) is requested, but \(holder) has not begun it",
            help:
                "it begins when that process sends or releases the lock; run the command again to "
                + "wait, or see `herald status`"
        )
    }
}
