import ArgumentParser

/// The `herald state` command, which manages an environment's state.
struct StateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "state",
        abstract: "Look after what Herald knows of an environment.",
        discussion: """
            EXAMPLES
              herald state init -e production     name the state in herald.yaml
              herald state list                   what is in it
              herald state pull copy.sqlite       a copy, while others write
              herald state push copy.sqlite       put a copy back
              herald state forget @people.txt     erase people
              herald state recover                after a loss

            The state of an environment says what was sent to whom: without it Herald would send \
            again. Documentation/Operations/State.md tells more.
            """,
        subcommands: [
            StateInit.self, StateList.self, StateShow.self, StatePull.self, StatePush.self,
            StateForget.self, StateRecover.self,
        ]
    )
}
