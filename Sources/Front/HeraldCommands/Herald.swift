import ArgumentParser
import CBuild
import Presentation

/// The root command.
///
/// Each command has a separate file. `Session` contains the steps that most commands share.
struct Herald: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "herald",
        abstract: "Push campaigns as code, for Firebase Cloud Messaging.",
        discussion: """
            EXAMPLES
              herald init                create a working project
              herald validate            check all files
              herald preview CAMPAIGN    show what each platform receives
              herald plan                show what an apply would do
              herald simulate            play the plan on virtual devices
              herald approve DIGEST      approve a plan with an SSH signature
              herald apply --yes         apply the plan on the built-in emulator
              herald run -e ENV          send scheduled occurrences when they are due
              herald listen --http       receive messages of devices
              herald status              show scheduled, active and unknown sends
              herald history             show what each run did
              herald recall OCCURRENCE   replace a notification that was sent
              herald calendar            show what each audience receives, per day
              herald results             show the results of experiments
              herald state list          list the contents of the state
              herald emulator inboxes    show what the virtual devices received
              herald send CAMPAIGN --to FINGERPRINT   send it to a test device
              herald groups list         list the known device groups
              herald doctor              check everything that sending depends on
              herald explain RULE        explain a rule

            EXIT CODES
              0 done   1 error   2 changes pending (plan --detailed-exitcode)
              3 partly applied   4 unknown outcomes remain   5 plan is stale
              6 refused by a guard   7 locked   64 usage   65 invalid files
              130 interrupted
            """,
        version: wording.line,
        subcommands: [
            InitCommand.self, ValidateCommand.self, ExplainCommand.self, PreviewCommand.self,
            PlanCommand.self, SimulateCommand.self,
            ApproveCommand.self, ApplyCommand.self, RunCommand.self, ListenCommand.self,
            StatusCommand.self,
            HistoryCommand.self,
            CalendarCommand.self, ResultsCommand.self, ResolveCommand.self, RecallCommand.self,
            PauseCommand.self,
            ResumeCommand.self, RolloutCommand.self, SendCommand.self,
            RegistrationsCommand.self, GroupsCommand.self, StateCommand.self, EmulatorCommand.self,
            DoctorCommand.self, RulesCommand.self, TopicsCommand.self, SchemaCommand.self,
            CompletionsCommand.self,
        ]
    )

    static let release = "0.1.0"

    static var wording: ReleaseWording {
        ReleaseWording(release: release, commit: String(cString: herald_build_commit))
    }
}
