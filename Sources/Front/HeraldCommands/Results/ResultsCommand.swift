import ArgumentParser

/// The `herald results` command, which shows what experiments show and stores outcomes.
struct ResultsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "results",
        _superCommandName: "herald",
        abstract: "Show the results of experiments.",
        discussion: """
            EXAMPLES
              herald results import purchases.csv -e production
              herald results -e production
              herald results spring-sale --outcome purchase --baseline 4%
              herald results spring-sale --format html --out results.html
            """,
        subcommands: [ShowResultsCommand.self, ImportResultsCommand.self],
        defaultSubcommand: ShowResultsCommand.self
    )
}
