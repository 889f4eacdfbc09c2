package import CampaignModel
package import State

/// Errors about the place of a state.
extension ErrorText {
    package static func unsetStateVariable(_ name: String) -> ErrorText {
        ErrorText(
            "the environment variable `\(TextStyle.safe(name))` is not set, but the address of the "
                + "state is in it",
            help: "set it to postgres://USER:PASSWORD@HOST:PORT/DATABASE"
        )
    }

    /// `reference`: `${NAME}`; the value is not repeated.
    package static func noServerAddress(in reference: String) -> ErrorText {
        ErrorText(
            "\(TextStyle.safe(reference)) contains no address of a PostgreSQL server",
            help: "set it to postgres://USER:PASSWORD@HOST:PORT/DATABASE"
        )
    }

    /// The text is not repeated, because it may contain a password.
    package static let unreadableStateAddress = ErrorText(
        "the place of the state is neither a path nor the address of a PostgreSQL server",
        help: "write an address as postgres://USER:PASSWORD@HOST:PORT/DATABASE, and a path that "
            + "contains `://` or begins with NAME= as ./PATH"
    )

    /// `reason`: why it is not known; nil if there is no better explanation.
    package static func unknownStateAddress(
        of environment: EnvironmentID,
        because reason: String?
    ) -> ErrorText {
        ErrorText(
            "the address of the state of \(environment) is not known"
                + (reason.map { ": " + $0 } ?? ""),
            help: "set the variables that `state` in herald.yaml names"
        )
    }

    package static func migrationWithinKind(from old: String, to new: String) -> ErrorText {
        ErrorText(
            "`herald state migrate` moves a state from a file to PostgreSQL or back, not from "
                + "\(TextStyle.safe(old)) to \(TextStyle.safe(new))",
            help: "copy a file with `herald state pull`, and a database with PostgreSQL's tools"
        )
    }

    /// `waiting`: the number of messages of devices on which no run has acted.
    package static func messagesStayBehind(_ waiting: Int, in place: String) -> ErrorText {
        ErrorText(
            "no run has acted on \(waiting.counting("message")) of devices in the inbox of "
                + "\(TextStyle.safe(place)), and the inbox does not move with the state",
            help:
                "stop `herald listen`, and run `herald apply`, which acts on them by the `upstream:` rules of the project; "
                + "then migrate"
        )
    }

    /// `found`: the state that is there.
    package static func occupiedPlace(_ place: String, by found: StateMark) -> ErrorText {
        ErrorText(
            "\(TextStyle.safe(place)) already has a state: lineage "
                + "\(TextStyle.safe(found.lineage.text)), serial \(found.serial)",
            help: "name an empty place; nothing was changed"
        )
    }

    /// `place`: names the server.
    package static func needsStateFile(
        _ command: StateFileCommand,
        at place: String
    ) -> ErrorText {
        ErrorText(
            "\(command.subject) works only on files, but this state is in PostgreSQL: "
                + TextStyle.safe(place),
            help: command.advice
        )
    }
}

/// Commands that work only on states in files.
package enum StateFileCommand: Sendable, CaseIterable {
    case pull
    case push
    case emulatorReset
    /// `herald state init` of an existing state that is not encrypted.
    case encrypt

    fileprivate var subject: String {
        switch self {
        case .pull: "`herald state pull`"
        case .push: "`herald state push`"
        case .emulatorReset: "`herald emulator reset`"
        case .encrypt: "encrypting an existing state"
        }
    }

    /// What to do instead.
    fileprivate var advice: String {
        switch self {
        case .pull:
            "copy the database with PostgreSQL's tools, such as `pg_dump --schema=herald`"
        case .push:
            "restore the newest backup of the database with PostgreSQL's tools. Stop all services and "
                + "applies first"
        case .emulatorReset:
            "remove `postgres` from the environment's `state` in herald.yaml: an emulator needs only a "
                + "file"
        case .encrypt:
            "name a key before the first apply, or move the state into a file with `herald state "
                + "migrate`, encrypt the file, and move it back"
        }
    }
}
