import ArgumentParser
import CampaignLoading
import FoundationEssentials
import JSON
import Presentation

/// The `herald emulator inboxes` command, which shows the messages of the virtual devices.
struct InboxesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inboxes",
        _superCommandName: "herald emulator",
        abstract: "Show what each virtual device received.",
        discussion: """
            EXAMPLES
              herald emulator inboxes
              herald emulator inboxes --format json

            Reads the project's emulator, whether it is running or not.
            """
    )

    @OptionGroup var options: BasicOptions

    @OptionGroup var output: FormatOptions<TextOrJSON>

    func run() async throws {
        try await options.reportingFailure {
            let isProject = FileManager.default.fileExists(
                atPath: options.directory + "/" + ProjectLoader.projectFile
            )
            guard isProject else {
                throw CommandFailure(.noProject)
            }
            let desk = try await EmulatorControlClient.open(options)
            let answer = try await desk.asking { (desk) async throws(CommandFailure) in
                try await desk.get("/emulator/v1/inboxes")
            }
            switch output.format {
            case .json: Output.data(answer.withoutRegistrations.prettyText + "\n")
            case .text: Output.data(InboxTextView(style: options.outputStyle).render(answer))
            }
        }
    }
}

extension JSONValue {
    /// The inboxes without registrations, which are secrets.
    ///
    /// Devices are identified by name.
    fileprivate var withoutRegistrations: JSONValue {
        let devices = (self["devices"]?.arrayValue ?? []).map { device in
            var members = device.objectValue ?? JSONObject()
            members["registration"] = nil
            return JSONValue.object(members)
        }
        return .object(["devices": .array(devices)])
    }
}
