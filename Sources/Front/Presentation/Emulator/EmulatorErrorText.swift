package import CampaignModel
import DeliveryModel
package import EmulatorAPI

/// Errors of the built-in emulator.
extension ErrorText {
    package static var noDevices: ErrorText {
        ErrorText("the files have problems, so no devices can be created")
    }

    package static func emulatorRunning(at url: String, without options: [String]) -> ErrorText {
        ErrorText(
            "an emulator is already running on \(url), without "
                + options.joined(separator: ", "),
            help: "stop it first, or run the command without these options"
        )
    }

    package static func unreachableEmulator(at url: String, because reason: String) -> ErrorText {
        ErrorText("the emulator at \(url) cannot be queried: \(reason)")
    }

    package static func shortControlToken(_ variable: String, least: Int) -> ErrorText {
        ErrorText(
            "the token in \(variable) has less than \(least) bytes",
            help:
                "set a longer one, for example the output of `openssl rand -hex 16`, or unset it, "
                + "so that the emulator makes one"
        )
    }

    package static func emulatorRefused(because reason: String) -> ErrorText {
        ErrorText(TextStyle.safe(reason))
    }

    package static func noEmulator(in folder: String) -> ErrorText {
        ErrorText(
            "there is no emulator in \(TextStyle.safe(folder))",
            help: "start one with `herald emulator`, or name one with --url"
        )
    }

    package static func emulatorNotRunning(in folder: String) -> ErrorText {
        ErrorText(
            "no emulator is running in \(TextStyle.safe(folder)), so nothing can arrive",
            help: "start one with `herald emulator`, or name one with --url; `herald emulator "
                + "messages` reads what a stopped one has stored"
        )
    }

    /// `reason`: the emulator's text, with what the project has instead.
    package static func unmetExpectation(
        _ reason: String,
        kind: FoundTextView.Kind
    ) -> ErrorText {
        let (command, other) =
            switch kind {
            case .messages: ("messages", ", and what senders did with `herald emulator requests`")
            case .requests: ("requests", "")
            }
        return ErrorText(
            TextStyle.safe(reason),
            help: "print all with `herald emulator \(command)`\(other)"
        )
    }

    /// A condition that another search has.
    package static func misplacedCondition(_ option: String, command: String) -> ErrorText {
        ErrorText(
            "\(option) is not a condition of this search",
            help: "use \(command)"
        )
    }

    package static func wrongExpectation(_ reason: String) -> ErrorText { ErrorText(reason) }

    package static func severalRegistrations(in option: String) -> ErrorText {
        ErrorText("\(option) accepts one registration", help: "give one per command")
    }

    package static func noOwnEmulator(of environment: EnvironmentID, hint: CommandHint) -> ErrorText
    {
        ErrorText(
            "\(environment) does not use the project's own emulator",
            help: "after a loss, run `\(hint("state recover"))`"
        )
    }

    package static func noKeyCreated(because reason: String) -> ErrorText {
        ErrorText("no key was created:  \(TextStyle.safe(reason))")
    }

    package static func unacceptedRegistration(of device: String) -> ErrorText {
        ErrorText(
            "the emulator does not accept the registration of device \(device)",
            help: "use letters, digits, `:`, `_`, `.` and `-`"
        )
    }
}

extension ErrorText {
    /// `folder`: the directory of the emulator's files.
    package init(_ error: EmulatorError, folder: String) {
        switch error {
        case .portInUse(let port):
            self.init(
                "port \(port) is in use",
                help: "choose another with --port; 0 selects a free one"
            )
        case .cannotListen(let reason): self.init("the emulator cannot listen: \(reason)")
        case .directoryInUse(let pid):
            self.init(
                "another emulator uses \(folder)" + (pid.map { ", process \($0)" } ?? ""),
                help: "use that one, or stop it"
            )
        case .directoryUnusable(let reason):
            self.init("the emulator cannot use its directory: \(reason)")
        case .damagedLog(let line):
            self.init(
                "\(folder)/requests.ndjson:\(line) is not a valid request log line",
                help: "move the file away to start from scratch; it holds the devices' messages"
            )
        case .registrationTaken(let device, let other):
            self.init(
                "the devices \(device) and \(other) have the same registration",
                help: "give one of them another registration"
            )
        case .tooManyTopics(let device):
            self.init(
                "the device \(device) has more than \(DeliveryBackend.topicsPerDevice) topics",
                help: "remove some; FCM allows no more per app instance (Firebase documentation, "
                    + "Topic messaging)"
            )
        case .faultsRefused(let mistakes):
            self.init(
                "the fault script is invalid:\n  " + mistakes.joined(separator: "\n  ")
            )
        case .unusableServiceAccount(let path, let reason):
            self.init(
                "\(TextStyle.safe(path)) is not a service account file: \(reason)",
                help: "create one with `herald emulator make-key`"
            )
        }
    }
}
