import ArgumentParser
import DeliveryModel
import JSON
import PhoneKeys
import Presentation

/// The `herald emulator make-phones` command, which creates phones with keys and their list.
struct MakePhonesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "make-phones",
        _superCommandName: "herald emulator",
        abstract: "Add phones with keys to the emulator and write their list.",
        discussion: """
            EXAMPLES
              herald emulator make-phones 20 campaigns/registrations/phones.csv
              herald emulator make-phones 3 phones.csv --project-id test-1 --url http://127.0.0.1:9099

            The list is a CSV file with the columns `registration` and `public_key`. The project's \
            emulator stores the private keys, whether it is running or not. `herald emulator \
            inboxes`, `messages` and the web page show what the phones decrypt.
            """
    )

    /// The maximum number of phones in one call.
    private static let limit = 10_000

    @OptionGroup var options: BasicOptions

    @Argument(help: "Number of phones.")
    var count: Int

    @Argument(help: "List to write. It must not exist yet.", completion: .file(extensions: ["csv"]))
    var list: String

    @Option(help: "Platform of the phones.")
    var platform = DevicePlatform.android

    @OptionGroup var target: EmulatorTargetFlags

    func validate() throws {
        guard (1...Self.limit).contains(count) else {
            throw ValidationError("the number of phones must be from 1 to \(Self.limit)")
        }
    }

    func run() async throws {
        try await options.reportingFailure {
            let phones = (0..<count).map { _ in Phone() }
            let lines = ["registration,public_key"] + phones.map(\.row)
            try KeyFile(list).create(lines.joined(separator: "\n") + "\n")
            let client = try await target.client(options)
            let devices = phones.map { $0.device(on: platform) }
            let body: JSONValue = ["devices": .array(devices)]
            _ = try await client.asking { client async throws(CommandFailure) in
                try await client.post("/emulator/v1/devices" + target.query.text, body)
            }
        }
    }
}

/// A phone with a random registration and a random key.
private struct Phone {
    private let id = String(UInt64.random(in: .min ... .max), radix: 16)
    private let key = PhoneKey()

    private var registration: String { "\(id):APA91b-emulator-\(id)" }

    var row: String { "\(registration),\(key.publicText)" }

    func device(on platform: DevicePlatform) -> JSONValue {
        [
            "name": .string("phone-\(id)"), "platform": .string(platform.rawValue),
            "registration": .string(registration),
            "message_keys": .array([.string(key.privateText)]),
        ]
    }
}

extension DevicePlatform: ExpressibleByArgument {}
