import CampaignModel
import EmulatorAPI
import HTTPTransport
import JSON
import Presentation

/// A query of an emulator's messages or requests, and the output of its answer.
struct EmulatorSearch {
    let options: BasicOptions
    let target: EmulatorTargetFlags
    let format: TextOrJSON
    /// Whether an emulator must be running, because a stopped one receives nothing.
    var needsRunning = false

    /// Prints the answer; an unmet expectation ends the command with 1.
    func show(
        _ kind: FoundTextView.Kind,
        from path: String,
        query: SearchParameters
    ) async throws(CommandFailure) {
        let client = try await client()
        let answer = try await client.asking { (client) async throws(CommandFailure) in
            try await client.answer(to: "/emulator/v1" + path + query.text)
        }
        switch (answer.status, format) {
        case (200, .json): Output.data(answer.json.withoutSecrets.prettyText + "\n")
        case (200, .text):
            Output.data(FoundTextView(kind, style: options.outputStyle).render(answer.json))
        default: throw failure(of: answer.json, status: answer.status, kind: kind)
        }
    }

    /// Prints the JSON of an unmet expectation, and returns the error.
    private func failure(
        of answer: JSONValue,
        status: Int,
        kind: FoundTextView.Kind
    ) -> CommandFailure {
        let reason = answer["error"]?["message"]?.stringValue ?? EmulatorAnswerWording.unexpected
        guard status == Self.unmet else {
            return CommandFailure(
                .emulatorRefused(because: reason),
                exit: status == 400 ? .usage : .error
            )
        }
        if format == .json { Output.data(answer.withoutSecrets.prettyText + "\n") }
        return CommandFailure(.unmetExpectation(reason, kind: kind))
    }

    /// The status of a wait or an assertion with a wrong number of matches.
    private static let unmet = 412

    /// Connects to the emulator at `--url`, otherwise to the directory's own.
    private func client() async throws(CommandFailure) -> EmulatorControlClient {
        let folder = EmulatorFolder(options)
        if needsRunning, target.url == nil, RunningEmulator.find(in: folder.path) == nil {
            throw CommandFailure(.emulatorNotRunning(in: folder.path))
        }
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
