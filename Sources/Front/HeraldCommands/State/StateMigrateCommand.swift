import ArgumentParser
import Presentation
import State
import Time

/// The `herald state migrate` command, which moves a state between a file and PostgreSQL.
struct StateMigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        _superCommandName: "herald state",
        abstract: "Move the state between a file and PostgreSQL.",
        discussion: """
            EXAMPLES
              herald state migrate --to '${HERALD_STATE_URL}' -e production
              herald state migrate --to .herald/production.sqlite -e production

            Copies everything: the lineage, the records of sends, memberships, stored lists and \
            the history. Encrypted content stays encrypted with the same key. Then the old state \
            is refused, with an error that names the new place. Change `state` in herald.yaml \
            accordingly.

            The new place must be empty, or contain only what an earlier migration left there. \
            If the command is interrupted, run it again: until the copy is complete, the old state \
            stays in use.
            """
    )

    @OptionGroup var options: ProjectOptions
    @OptionGroup var environment: EnvironmentOptions

    @Option(
        help: ArgumentHelp(
            "New place: a file, or the address of a database.",
            discussion: "`${NAME}` is the value of an environment variable, so that a password is "
                + "not visible in the list of processes.",
            valueName: "path|url"
        ),
        completion: .file()
    )
    var to: String

    @OptionGroup var lockOptions: LockOptions

    func run() async throws {
        try await options.reportingFailure {
            let state = try EnvironmentState(in: try Session(options), chosen: environment)
            let variables = state.session.context.variables
            let migration = try StateMigration(
                of: state,
                to: try StateAddress(to, variables: variables),
                by: Worker.this(
                    command: "herald state migrate",
                    since: state.session.clock.now(),
                    origin: .of(options.directory, variables: variables)
                ),
                waiting: lockOptions.timeout
            )
            let serial = try await migration.perform()
            options.show(
                StateNoticeWording.migrated(
                    state.environment,
                    serial: serial,
                    from: migration.source.name,
                    to: migration.target.name
                )
            )
        }
    }
}
