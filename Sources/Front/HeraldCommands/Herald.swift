import ArgumentParser

/// The root command.
///
/// Each command has a separate file. `Session` contains the steps that most commands share.
struct Herald: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "herald",
        abstract: "Push campaigns as code, for Firebase Cloud Messaging.",
        discussion: """
            EXAMPLES
              herald init                a project that works, to begin with
              herald validate            every problem of every file
              herald preview CAMPAIGN    what each platform gets of it
              herald plan                what an apply would do
              herald simulate            the same, played over a made-up population
              herald apply --yes         do it, on the built-in emulator
              herald status              what is under way, scheduled or not known
              herald history             what the runs did
              herald state list          what is known of what was sent
              herald emulator inboxes    what the virtual devices received
              herald send CAMPAIGN --to FINGERPRINT   see it on a test device
              herald groups list         the device groups that are known here
              herald doctor              whether all that sending rests on is well
              herald explain RULE        why a rule exists, and what to do instead

            EXIT CODES
              0 done   1 error   2 changes pending (plan --detailed-exitcode)
              3 partly applied   4 unknown outcomes remain   5 plan is stale
              6 refused by a guard   7 locked   64 usage   65 invalid files
              130 interrupted
            """,
        version: ReleaseText(release: release).line,
        subcommands: [
            Init.self, Validate.self, Explain.self, Preview.self, PlanCommand.self, Simulate.self,
            Apply.self, Status.self, History.self, Resolve.self, PauseCommand.self, Send.self,
            RegistrationsCommand.self, GroupsCommand.self, StateCommand.self, Emulator.self,
            Doctor.self, Rules.self, Schema.self, Completions.self,
        ]
    )

    static let release = "0.1.0"
}
