/// Why an apply or its validation ends early.
extension ErrorText {
    package static func refusedByGuards(_ count: Int) -> ErrorText {
        ErrorText("refused by \(count.counting("guard")), so nothing was sent or recorded")
    }

    package static var notApplied: ErrorText {
        ErrorText("not applied")
    }

    package static var stateChanged: ErrorText {
        ErrorText("the state changed since the plan was shown", help: "run apply again")
    }

    package static func unansweredValidation(because reason: String) -> ErrorText {
        ErrorText(
            "FCM could not be queried: \(TextStyle.safe(reason))",
            help: "fix the cause and run the command again; nothing was sent or recorded"
        )
    }
}
