import CampaignLoading
package import CampaignModel

/// Errors of sources, which end a command before anything is planned.
extension ErrorText {
    /// Why a program wrote no list.
    package enum SourceCommandProblem: Sendable {
        case unstarted(reason: String)
        case exited(code: Int32)
        case killed(signal: Int32)
        /// In seconds.
        case timedOut(Int64)
        /// The program ended, and another process kept its output open until the time limit.
        case outputHeld(Int64)
    }

    /// `lines`: the last lines of the program's standard error.
    package static func failedSource(
        _ source: ListSourceID,
        running program: String,
        because problem: SourceCommandProblem,
        lines: [String]
    ) -> ErrorText {
        let shown = lines.map { "\n  | \(TextStyle.safe($0.withoutSecrets))" }.joined()
        return ErrorText(
            "the source `\(source)` failed: `\(TextStyle.safe(program))` \(problem.wording)\(shown)",
            help: problem.help(for: source)
        )
    }

    package static func sourceTooLong(_ source: ListSourceID, limit: String) -> ErrorText {
        ErrorText(
            "the source `\(source)` writes more than \(limit)",
            help: "write one row per registration, and end the output"
        )
    }

    package static func unstorableSource(
        _ source: ListSourceID,
        in folder: String,
        because reason: String
    ) -> ErrorText {
        ErrorText(
            "the output of the source `\(source)` cannot be stored in \(TextStyle.safe(folder)): "
                + reason,
            help: "free space there, or name another directory in TMPDIR"
        )
    }

    package static func missingSourceVariable(
        _ name: String,
        of source: ListSourceID
    ) -> ErrorText {
        ErrorText(
            "the source `\(source)` needs the environment variable `\(name)`, which is not set",
            help: "set it, or remove it from `sources.\(source)` in herald.yaml"
        )
    }

    package static func interruptedSource(_ source: ListSourceID) -> ErrorText {
        ErrorText("interrupted while the source `\(source)` was read; nothing was sent")
    }
}

/// Errors of sources that are PostgreSQL queries.
extension ErrorText {
    package static func noPostgresLibrary(_ source: ListSourceID, detail: String) -> ErrorText {
        ErrorText(
            "the source `\(source)` needs libpq (Debian package libpq5), which cannot be loaded: "
                + TextStyle.safe(detail),
            help: "install it: `apt-get install libpq5`"
        )
    }

    /// The value may contain a password.
    package static func malformedDatabase(
        _ source: ListSourceID,
        variable: String
    ) -> ErrorText {
        ErrorText(
            "the environment variable `\(variable)` of the source `\(source)` contains no PostgreSQL "
                + "connection string",
            help: "write it as `postgresql://USER@HOST/DATABASE`"
        )
    }

    package static func unreachableDatabase(
        _ source: ListSourceID,
        because message: String
    ) -> ErrorText {
        let isAboutRoot = message.contains("root certificate")
        return ErrorText(
            "the source `\(source)` failed: its database cannot be reached: "
                + TextStyle.safe(message.oneLine.withoutSecrets),
            help: isAboutRoot
                ? "a server on another machine must prove its name: add `sslrootcert=FILE` to the "
                    + "connection string"
                : "check the connection string, and whether this machine may connect"
        )
    }

    /// `state`: the SQLSTATE.
    package static func failedQuery(
        _ source: ListSourceID,
        because message: String,
        state: String?
    ) -> ErrorText {
        let code = state.map { " (SQLSTATE \(TextStyle.safe($0)))" } ?? ""
        return ErrorText(
            "the source `\(source)` failed: \(TextStyle.safe(message.oneLine.withoutSecrets))\(code)",
            help: "`query` in `sources.\(source)` must be one SELECT that changes nothing"
        )
    }

    package static func slowQuery(_ source: ListSourceID, limit seconds: Int64) -> ErrorText {
        ErrorText(
            "the source `\(source)` failed: its query was stopped after \(seconds) s",
            help: timeoutHelp(for: source)
        )
    }

    fileprivate static func timeoutHelp(for source: ListSourceID) -> String {
        "raise `timeout` in `sources.\(source)` of herald.yaml, or make the source faster"
    }
}

extension ErrorText.SourceCommandProblem {
    fileprivate var wording: String {
        switch self {
        case .unstarted(let reason): "cannot be started: \(reason)"
        case .exited(let code): "exited with code \(code)"
        case .killed(let signal): "was ended by signal \(signal)"
        case .timedOut(let seconds): "was stopped after \(seconds) s"
        case .outputHeld(let seconds):
            "ended, but another process kept its output open and was stopped after \(seconds) s"
        }
    }

    fileprivate func help(for source: ListSourceID) -> String {
        switch self {
        case .unstarted, .exited(code: 126), .exited(code: 127):
            "check `command` in `sources.\(source)`; a relative path begins at the folder of "
                + "herald.yaml"
        case .exited, .killed: "run the program in the project's folder to find the cause"
        case .timedOut: ErrorText.timeoutHelp(for: source)
        case .outputHeld:
            "redirect the output of background processes, or wait for them in the program"
        }
    }
}

extension String {
    /// The text with its line breaks and tabs as single spaces.
    fileprivate var oneLine: String {
        split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
