import ArgumentParser
import HTTPTransport
import JSON
import Presentation
import Text

/// The `herald emulator send-upstream` command, which sends a message of a device.
struct SendUpstreamCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send-upstream",
        _superCommandName: "herald emulator",
        abstract: "Send a message from a virtual device to its app server.",
        discussion: """
            EXAMPLES
              herald emulator send-upstream ana-pixel answer=stop
              herald emulator send-upstream bo-iphone answer=yes --message-id m-1 --time-to-live 60

            The message waits on the device until its app has a connection. Then it waits in the \
            emulator until an app server acknowledges it: `herald emulator --xmpp-port PORT` serves \
            `herald listen --server 127.0.0.1:PORT`.
            """
    )

    @OptionGroup var options: BasicOptions

    @Argument(help: "Name of the device.")
    var device: String

    @Argument(help: ArgumentHelp("Data of the message.", valueName: "key=value"))
    var data: [String]

    @Option(help: "App server, such as 1029384756@gcm.googleapis.com. (default: any)")
    var to: String?

    @Option(name: .customLong("message-id"), help: "Message ID. (default: a new one)")
    var messageID: String?

    @Option(name: .customLong("time-to-live"), help: "Seconds. (default: four weeks)")
    var timeToLive: Int?

    @Option(help: "The app that sends. (default: the device's package)")
    var category: String?

    @OptionGroup var target: EmulatorTargetFlags
    @OptionGroup var output: FormatOptions<TextOrJSON>

    func validate() throws {
        for pair in data where !pair.contains("=") {
            throw ValidationError("`\(pair)` is not KEY=VALUE")
        }
        guard timeToLive.map({ Int32(exactly: $0) != nil }) ?? true else {
            throw ValidationError("--time-to-live must be a number of seconds")
        }
    }

    func run() async throws {
        try await options.reportingFailure {
            let client = try await target.client(options)
            let path = "/emulator/v1/devices/\(device.percentEncoded)/upstream" + target.query.text
            let answer = try await client.asking { client async throws(CommandFailure) in
                try await client.answer(to: path, method: .post, body: body.compactBytes)
            }
            guard answer.status == 200 else {
                let message = answer.json["error"]?["message"]?.stringValue
                throw CommandFailure(
                    .emulatorRefused(because: message ?? EmulatorAnswerWording.unexpected),
                    exit: answer.status == 400 ? .usage : .error
                )
            }
            switch output.format {
            case .json: Output.data(answer.json.prettyText + "\n")
            case .text: Output.data(EmulatorAnswerWording.sentUpstream(answer.json))
            }
        }
    }

    private var body: JSONValue {
        let pairs = data.map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return JSONObject.Member(key: String(parts[0]), value: .string(String(parts[1])))
        }
        var members: JSONObject = ["message": .object(JSONObject(pairs))]
        members["to"] = to.map { .string($0) }
        members["message_id"] = messageID.map { .string($0) }
        members["time_to_live"] = timeToLive.map { .integer(Int64($0)) }
        members["category"] = category.map { .string($0) }
        return .object(members)
    }
}
