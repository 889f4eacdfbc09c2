package import CampaignModel

/// Errors of registration lists and of registrations in arguments.
extension ErrorText {
    package static func unknownList(_ name: String, among audiences: [String]) -> ErrorText {
        ErrorText(
            "there is no audience or file `\(TextStyle.safe(name))`",
            help: .didYouMean(name, among: audiences)
                ?? "give the name of an audience or the path of a list"
        )
    }

    package static var listWithoutColumns: ErrorText {
        ErrorText("the list has no columns", help: "use a CSV or NDJSON file")
    }

    package static var registrationColumn: ErrorText {
        ErrorText("the registration column cannot be shown")
    }

    package static var repeatedColumn: ErrorText {
        ErrorText("--columns names a column twice")
    }

    package static func noRegistration(inLine number: Int, of name: String) -> ErrorText {
        ErrorText(
            "line \(number) of \(name) is neither a registration nor a fingerprint",
            help: "write one per line"
        )
    }

    package static func noRegistrations(in name: String) -> ErrorText {
        ErrorText("\(name) contains no registrations")
    }

    package static func noFingerprint(in option: String) -> ErrorText {
        ErrorText(
            "\(option) is not a fingerprint",
            help: "give a fingerprint (16 hexadecimal digits) from `herald registrations "
                + "fingerprint`, or registrations in @FILE or on standard input with -; never give "
                + "a registration as an argument"
        )
    }

    package static var columnsOfInput: ErrorText {
        ErrorText("--columns requires a list with columns")
    }

    package static func noRegistration(inInputLine number: Int) -> ErrorText {
        ErrorText(
            "line \(number) is not a registration",
            help: "remove white space, quotes and commas"
        )
    }

    package static var inlineList: ErrorText {
        ErrorText(
            "the list is part of the project's YAML files, not a separate file",
            help: "remove dead registrations by hand; `herald registrations fingerprint` shows "
                + "their fingerprints"
        )
    }

    package static func prunedSource(_ source: ListSourceID) -> ErrorText {
        ErrorText(
            "the list is the output of the source `\(source)`, not a file",
            help: "remove dead registrations where the source reads them"
        )
    }

    /// `audience`: The name as given.
    package static func setList(_ audience: String) -> ErrorText {
        ErrorText(
            "\(TextStyle.safe(audience)) is a set of lists, not a separate file",
            help: "prune the lists of its audiences one by one"
        )
    }

    package static func severalFiles(_ pattern: String) -> ErrorText {
        ErrorText(
            "\(TextStyle.safe(pattern)) is a pattern, which may match many files",
            help: "prune each file by its path"
        )
    }

    package static func noList(of campaign: String) -> ErrorText {
        ErrorText(
            "campaign `\(TextStyle.safe(campaign))` is not sent to a list of registrations",
            help: "leave out --row and --registration"
        )
    }

    package static func severalRegistrations(_ count: Int, in option: String) -> ErrorText {
        ErrorText(
            "\(option) names \(count.counting("registration"))",
            help: "name one: a preview shows one row"
        )
    }

    package static func rowWithoutValue(_ row: Int, column: String) -> ErrorText {
        ErrorText(
            "row \(row) has no `\(TextStyle.safe(column))`, which this text contains",
            help: "leave out --locale to see the text for the row's own locale"
        )
    }

    package static var unknownRegistration: ErrorText {
        ErrorText(
            "the list does not contain that registration",
            help: "check the environment: fingerprints and lists differ between environments"
        )
    }

    package static var sameOutputs: ErrorText {
        ErrorText("--output and --removed are the same file")
    }
}
