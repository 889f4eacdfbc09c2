package import CampaignModel

/// Errors of `herald resolve`.
extension ErrorText {
    package static func unknownOccurrence(_ name: String, among known: [String]) -> ErrorText {
        ErrorText(
            "there is no occurrence `\(TextStyle.safe(name))`",
            help: .didYouMean(name, among: known) ?? "list them with `herald status`"
        )
    }

    package static func nothingToResolve(in campaign: String) -> ErrorText {
        ErrorText("\(TextStyle.safe(campaign)) has no unknown outcomes and is not held")
    }

    package static func severalOccurrences(of campaign: String, names: String) -> ErrorText {
        ErrorText(
            "several occurrences of \(TextStyle.safe(campaign)) have unknown outcomes",
            help: "give one of \(names)"
        )
    }

    package static func noUnknownOutcomes(of name: String) -> ErrorText {
        ErrorText("\(name) has no unknown outcomes")
    }

    package static func onlyHeld(_ name: String) -> ErrorText {
        ErrorText(
            "\(name) has no unknown outcomes: it is held",
            help: "resume it with `resend`, or remove the campaign to give the rest up"
        )
    }

    package static func alreadyRequested(_ name: String, author: String) -> ErrorText {
        ErrorText(
            "\(name) already has a requested resolution: \(author)",
            help: "wait for the run with the lock, or run `herald apply`"
        )
    }

    package static func expiredMessage(of name: String) -> ErrorText {
        ErrorText(
            "the message of \(name) has expired, so nothing would be sent",
            help: "resolve it with `sent` or `drop`"
        )
    }

    package static func listNotStored(of name: String) -> ErrorText {
        ErrorText(
            "the list of \(name) is no longer stored, so nothing can be sent",
            help: "resolve it with `sent` or `drop`"
        )
    }

    package static func campaignNotInFiles(of name: String) -> ErrorText {
        ErrorText(
            "the campaign of \(name) is no longer in the files, so nothing would be sent",
            help: "resolve it with `sent` or `drop`"
        )
    }

    package static func occurrenceUnderWay(_ id: OccurrenceID) -> ErrorText {
        ErrorText(
            "\(TextStyle.safe(id.description)) is being sent, so its unknown outcomes "
                + "still change",
            help: "wait for the end of that run, or stop it with `herald pause`"
        )
    }

    package static func outcomesChanged(of occurrence: OccurrenceID) -> ErrorText {
        ErrorText(
            "the unknown outcomes of \(TextStyle.safe(occurrence.description)) have changed",
            help: "check them with `herald status`"
        )
    }
}
