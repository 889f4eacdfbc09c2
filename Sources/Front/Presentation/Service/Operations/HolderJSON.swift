import CampaignModel
import JSON
import Service
import State

/// Declares the process for which a service waits, in `/readyz` and in the log.
enum HolderJSON {
    static let shape = JSONShape<StandbyMachine.Holder>(
        "Another process. It has no other members until it describes itself.",
        [
            .required("stopped", .flag, about: "Whether a signal such as SIGSTOP stopped it.") {
                $0.isStopped
            },
            .optional("command", .text, about: "Its command.") { $0.worker?.command },
            .optional("user", .text, about: "Its user.") { $0.worker?.user },
            .optional("host", .text, about: "Its machine.") { $0.worker?.host },
            .optional("process", .integer, about: "Its process ID.") { $0.worker?.processID },
            .optional("since", .moment, about: "When it started.") { $0.worker?.since },
        ]
    )
}
