import CampaignLoading

/// Errors of a project and of its files.
extension ErrorText {
    package static var noProject: ErrorText {
        ErrorText(
            "there is no herald.yaml here",
            help: "run herald in the project directory, or name it with -C DIR"
        )
    }

    package static func invalidProjectName(_ name: String) -> ErrorText {
        ErrorText(
            "`\(TextStyle.safe(name))` is not a valid project name",
            help: "give one with --project: up to 64 letters, digits, `-`, `_` and `.`, "
                + "starting with a letter or digit"
        )
    }

    package static func unknownTimeZone(_ name: String, among known: [String]) -> ErrorText {
        ErrorText(
            "`\(TextStyle.safe(name))` is not a time zone of this system",
            help: .didYouMean(name, among: known)
                ?? "give an IANA name such as Europe/Lisbon"
        )
    }

    package static func existingFiles(_ paths: [String]) -> ErrorText {
        ErrorText(
            "nothing was written, because these exist already: \(paths.joined(separator: ", "))",
            help: "choose another directory, as in `herald init push`"
        )
    }

    package static func unknownCampaign(
        _ name: String,
        inProjectWith known: [String]
    ) -> ErrorText {
        let names = known.prefix(8).joined(separator: ", ") + (known.count > 8 ? ", …" : "")
        return ErrorText(
            "there is no campaign `\(TextStyle.safe(name))`",
            help: .didYouMean(name, among: known)
                ?? (known.isEmpty ? "the project has no campaigns" : "use one of \(names)")
        )
    }

    /// The error for a campaign that exists only in other environments.
    package static func campaignElsewhere(_ name: String) -> ErrorText {
        ErrorText(
            "campaign `\(TextStyle.safe(name))` does not belong to this environment",
            help: "choose another environment with -e, or change the campaign's `environments` or "
                + "the environment's `only` and `except`"
        )
    }

    /// `purpose`: what the files are not used for, such as "planned".
    package static func invalidFiles(purpose: FilePurpose) -> ErrorText {
        ErrorText("the files have problems, so nothing is \(purpose.rawValue)")
    }

    package static func unknownEnvironment(_ name: String, among known: [String]) -> ErrorText {
        ErrorText(
            "there is no environment `\(TextStyle.safe(name))`",
            help: .didYouMean(name, among: known)
                ?? "use one of \(known.joined(separator: ", "))"
        )
    }

    package static func noProject(in directory: String) -> ErrorText {
        ErrorText(
            "there is no \(ProjectLoader.projectFile) in "
                + "\(TextStyle.safe(directory))",
            help: "run herald in the project directory, or name it with -C DIR"
        )
    }

    package static var invalidProject: ErrorText {
        ErrorText("herald.yaml is invalid", help: "run `herald validate` to see why")
    }

    package static func noFile(at path: String) -> ErrorText {
        ErrorText(
            "there is no file or directory `\(TextStyle.safe(path))` in the project",
            help: "use a path relative to the current directory, or to the one given with -C"
        )
    }
}

/// What a command uses the files of a project for.
package enum FilePurpose: String {
    case planning = "planned"
    case showing = "shown"
}
