import ArgumentParser

/// `herald registrations`: what can be done with lists of registrations.
struct RegistrationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "registrations",
        abstract: "Work with lists of registrations.",
        discussion: """
            EXAMPLES
              herald registrations fingerprint beta-anglers
              herald registrations fingerprint registrations/beta.csv --columns user
            """,
        subcommands: [FingerprintCommand.self]
    )
}
