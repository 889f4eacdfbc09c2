/// Errors of files.
extension ErrorText {
    package static func unreadable(_ shown: String) -> ErrorText {
        ErrorText("\(shown) cannot be read")
    }

    package static func notJSON(_ shown: String) -> ErrorText {
        ErrorText("\(shown) is not JSON")
    }

    package static func unwritableFolder(of path: String) -> ErrorText {
        ErrorText(
            "\(TextStyle.safe(path)) cannot be written",
            help: "check that the directory is writable"
        )
    }

    package static func unwritable(_ name: String, because reason: String) -> ErrorText {
        ErrorText("\(name) cannot be written: \(TextStyle.safe(reason))")
    }

    package static func existingOutput(_ file: String) -> ErrorText {
        ErrorText(
            "\(TextStyle.safe(file)) already exists",
            help: "give --force to overwrite it, or another name"
        )
    }

    package static let noArguments = ErrorText(
        "cannot find the arguments of the command: /proc/self/cmdline is not readable",
        help: "mount /proc, or remove LD_PRELOAD from the environment"
    )

    /// Standard output lacks a part of what was written to it.
    package static func unwritableOutput(_ reason: String) -> ErrorText {
        ErrorText(
            "standard output cannot be written: \(reason)",
            help: "the command has done its work; `herald status` and `herald history` show it"
        )
    }

    package static func unwritableOutput(_ path: String, because reason: String) -> ErrorText {
        ErrorText("\(TextStyle.safe(path)) cannot be written: \(reason)")
    }

    package static func unwritableSchema(_ path: String) -> ErrorText {
        ErrorText("\(path) cannot be written", help: "check that the directory is writable")
    }

    package static func unreadableKeyFile(_ path: String, because reason: String) -> ErrorText {
        ErrorText("\(TextStyle.safe(path)) cannot be read: \(reason)")
    }

    package static func largeKeyFile(_ path: String) -> ErrorText {
        ErrorText(
            "\(TextStyle.safe(path)) cannot be read: it is larger than 4 MiB",
            help: "check the path"
        )
    }
}
