import ArgumentParser

/// The `herald state` command, which manages an environment's state.
struct StateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "state",
        abstract: "Manage an environment's state.",
        discussion: """
            EXAMPLES
              herald state init -e production     create the state and name it in herald.yaml
              herald state list                   list its contents
              herald state pull copy.sqlite       copy it
              herald state push copy.sqlite       restore a copy
              herald state forget @people.txt     erase registrations
              herald state recover                continue after a loss
              herald state migrate --to URL       move it into PostgreSQL, or back
              herald state grants plan ROLE       print the SQL for a read-only role

            The state of an environment records what was sent to which registrations. Without \
            it, Herald would send everything again.
            """,
        subcommands: [
            StateInitCommand.self, StateListCommand.self, StateShowCommand.self,
            StatePullCommand.self, StatePushCommand.self,
            StateForgetCommand.self, StateRecoverCommand.self, StateMigrateCommand.self,
            StateGrantsCommand.self,
        ]
    )
}
