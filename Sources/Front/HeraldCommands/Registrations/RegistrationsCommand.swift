import ArgumentParser

/// The `herald registrations` command, which groups commands for registration lists.
struct RegistrationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "registrations",
        abstract: "Work with lists of registrations.",
        discussion: """
            EXAMPLES
              herald registrations fingerprint beta-anglers
              herald registrations fingerprint registrations/beta.csv --columns user
              herald registrations check beta-anglers -e production
              herald registrations prune beta-anglers
              herald registrations revive 1f0c5d0a9be2a4c7
              herald registrations opt-in 1f0c5d0a9be2a4c7
              herald registrations retry beta-anglers
            """,
        subcommands: [
            FingerprintCommand.self, CheckCommand.self, PruneCommand.self, ReviveCommand.self,
            OptInCommand.self,
            RetryCommand.self,
        ]
    )
}
