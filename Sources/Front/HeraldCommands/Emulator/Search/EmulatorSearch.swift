import CampaignModel
import EmulatorAPI
import HTTPTransport
import JSON
import Presentation

/// A query of an emulator's messages or requests, and the output of its answer.
struct EmulatorSearch {
    let options: GlobalOptions
    let target: EmulatorTargetFlags
    let format: TextOrJSON

    /// Prints the answer; an unmet expectation ends the command with 1.
    func show(_ path: String, query: SearchParameters) async throws(CommandFailure) {
        let client = try await client()
        let answer = try await client.asking { (client) async throws(CommandFailure) in
            try await client.answer(to: "/emulator/v1" + path + query.text)
        }
        guard answer.status == 200 else {
            let message = answer.json["error"]?["message"]?.stringValue
            throw CommandFailure(
                .emulatorRefused(because: message ?? EmulatorAnswerWording.unexpected),
                exit: answer.status == 400 ? .usage : .error
            )
        }
        switch format {
        case .json: Output.data(answer.json.withoutSecrets.prettyText + "\n")
        case .text:
            Output.data(FoundTextView(style: options.outputStyle).render(answer.json))
        }
    }

    /// Connects to the emulator at `--url`, otherwise to the directory's own.
    private func client() async throws(CommandFailure) -> EmulatorControlClient {
        let folder = EmulatorFolder(options)
        guard target.url != nil || RunningEmulator.find(in: folder.path) != nil || folder.exists
        else {
            throw CommandFailure(.noEmulator(in: folder.path))
        }
        return try await target.client(options)
    }
}

extension JSONValue {
    /// The answer without registrations, which are secrets; fingerprints stay.
    fileprivate var withoutSecrets: JSONValue {
        switch self {
        case .array(let elements): .array(elements.map(\.withoutSecrets))
        case .object(let object):
            .object(
                JSONObject(
                    object.members.filter { !Self.secrets.contains($0.key) }.map {
                        // The app's own data may have the same names.
                        let isData = $0.key == "data"
                        return JSONObject.Member(
                            key: $0.key,
                            value: isData ? $0.value : $0.value.withoutSecrets
                        )
                    }
                )
            )
        default: self
        }
    }

    private static let secrets: Set<String> = ["registration", "token", "fid"]
}
