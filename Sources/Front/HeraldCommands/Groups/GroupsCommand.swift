import ArgumentParser
import Memberships
import Presentation

/// The `herald groups` command, which manages a project's device groups.
struct GroupsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "groups",
        abstract: "Create device groups and change their members.",
        discussion: """
            EXAMPLES
              herald groups create family-7 --list beta-anglers --row 3 --row 4
              herald groups add family-7 @tablet.txt
              herald groups remove family-7 4f0d31c6a90b7e52
              herald groups show family-7

            A device group is up to 20 registrations of one person. A campaign reaches all of \
            them with `audience: { group: NAME }`. Anyone with the group's key can reach them, \
            too. Herald therefore requests the key from FCM each time, does not store it, and \
            shows only its fingerprint.

            FCM does not list the members of a group. Herald shows the members that it added. \
            FCM silently leaves out registrations that it does not know.
            """,
        subcommands: [
            GroupsCreateCommand.self, GroupsAddCommand.self, GroupsRemoveCommand.self,
            GroupsListCommand.self,
            GroupsShowCommand.self,
        ]
    )
}

/// The `herald groups create` command.
struct GroupsCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        _superCommandName: "herald groups",
        abstract: "Create a device group.",
        discussion: """
            EXAMPLES
              herald groups create family-7 @phones.txt
              herald groups create family-7 --list beta-anglers --row 3 -e production

            If FCM already has a group with that name, nothing is changed. Use `add` instead.
            """
    )

    @OptionGroup var options: ProjectOptions
    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup var change: GroupChangeOptions

    func run() async throws {
        try await options.reportingFailure {
            try await change.perform(.create, options: options, environment: environment)
        }
    }
}

/// The `herald groups add` command.
struct GroupsAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        _superCommandName: "herald groups",
        abstract: "Add registrations to a device group.",
        discussion: """
            EXAMPLES
              herald groups add family-7 --list beta-anglers --row 5
              pbpaste | herald groups add family-7 -
            """
    )

    @OptionGroup var options: ProjectOptions
    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup var change: GroupChangeOptions

    func run() async throws {
        try await options.reportingFailure {
            try await change.perform(.add, options: options, environment: environment)
        }
    }
}

/// The `herald groups remove` command.
struct GroupsRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        _superCommandName: "herald groups",
        abstract: "Remove registrations from a device group.",
        discussion: """
            EXAMPLES
              herald groups remove family-7 4f0d31c6a90b7e52
              herald groups remove family-7 @phones.txt --yes

            FCM deletes a group without members. If no known member would be left, the command \
            asks for confirmation first.
            """
    )

    @OptionGroup var options: ProjectOptions
    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup var change: GroupChangeOptions

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    @Flag(help: "Never ask for confirmation. Fails if --yes is missing.")
    var noInput = false

    func run() async throws {
        try await options.reportingFailure {
            try await change.perform(.remove, options: options, environment: environment) {
                question throws(CommandFailure) in
                try confirm(question)
            }
        }
    }

    private func confirm(_ question: String) throws(CommandFailure) {
        Output.message(question)
        guard !yes else { return }
        guard !noInput, Input.isTerminal else {
            throw CommandFailure(
                .unconfirmed(isInputDisabled: noInput, for: .changing),
                exit: .usage
            )
        }
        Output.message(ConfirmationWording.yes)
        guard Input.line() == "yes" else { throw CommandFailure(.nothingChanged) }
    }
}
