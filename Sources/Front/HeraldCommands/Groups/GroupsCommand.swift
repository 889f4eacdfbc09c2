import ArgumentParser
import Applying

/// The `herald groups` command, which manages a project's device groups.
struct GroupsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "groups",
        abstract: "Make device groups and change who is in them.",
        discussion: """
            EXAMPLES
              herald groups create family-7 --list beta-anglers --row 3 --row 4
              herald groups add family-7 @tablet.txt
              herald groups remove family-7 4f0d31c6a90b7e52
              herald groups show family-7

            A device group is up to 20 registrations of one person; a campaign reaches all of them \
            with `audience: { group: NAME }`. Whoever has its key reaches them too: Herald asks FCM \
            for it each time, keeps it nowhere and shows only its fingerprint. FCM tells nobody who \
            is in a group; what is listed is what Herald put there. Registrations that FCM does not \
            know it leaves out without a word.
            """,
        subcommands: [
            GroupsCreate.self, GroupsAdd.self, GroupsRemove.self, GroupsList.self,
            GroupsShow.self,
        ]
    )
}

/// The `herald groups create` command.
struct GroupsCreate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make a device group.",
        discussion: """
            EXAMPLES
              herald groups create family-7 @phones.txt
              herald groups create family-7 --list beta-anglers --row 3 -e production

            Where FCM has a group of that name, nothing is changed: add to that one.
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup var change: GroupChangeOptions

    func run() async throws {
        try await options.reportingFailure {
            try await change.perform(.create, options, environment)
        }
    }
}

/// The `herald groups add` command.
struct GroupsAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add registrations to a device group.",
        discussion: """
            EXAMPLES
              herald groups add family-7 --list beta-anglers --row 5
              pbpaste | herald groups add family-7 -
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup var change: GroupChangeOptions

    func run() async throws {
        try await options.reportingFailure {
            try await change.perform(.add, options, environment)
        }
    }
}

/// The `herald groups remove` command.
struct GroupsRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Take registrations out of a device group.",
        discussion: """
            EXAMPLES
              herald groups remove family-7 4f0d31c6a90b7e52
              herald groups remove family-7 @phones.txt --yes

            FCM deletes the group with its last member: where nobody is known to stay, this is said \
            and asked for first.
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup var change: GroupChangeOptions

    @Flag(help: "Don't ask.")
    var yes = false

    @Flag(help: "Never ask: without --yes, end with an error instead.")
    var noInput = false

    func run() async throws {
        try await options.reportingFailure {
            try await change.perform(.remove, options, environment) {
                question throws(CommandFailure) in
                try confirm(question)
            }
        }
    }

    private func confirm(_ question: String) throws(CommandFailure) {
        Output.message(question)
        guard !yes else { return }
        guard !noInput, Surroundings.isInputTerminal else {
            throw CommandFailure(
                "nobody is there to say yes",
                help: "give --yes to do it without asking",
                exit: .usage
            )
        }
        Output.message("Do it? Only `yes` is taken: ")
        guard readLine() == "yes" else { throw CommandFailure("nothing was changed") }
    }
}
