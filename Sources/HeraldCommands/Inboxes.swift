import ArgumentParser
import CampaignLoading
import CampaignReporting
import CurlTransport
import FCMEmulator
import FCMWire
import FoundationEssentials
import HTTPTransport

/// `herald emulator inboxes`: what the virtual devices received.
struct Inboxes: AsyncParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text
        case json
    }

    static let configuration = CommandConfiguration(
        abstract: "Show what each virtual device received.",
        discussion: """
            EXAMPLES
              herald emulator inboxes
              herald emulator inboxes --format json

            Asks the project's emulator, whether it is running now or not.
            """
    )

    @OptionGroup var options: GlobalOptions

    @Option(help: "How the inboxes are written.")
    var format = Format.text

    func run() async throws {
        try await options.reportingFailure {
            let isProject = FileManager.default.fileExists(
                atPath: options.directory + "/" + ProjectLoader.projectFile
            )
            guard isProject else {
                throw CommandFailure(
                    "there is no herald.yaml here",
                    help: "run herald in the project's folder, or name it with -C DIR"
                )
            }
            let folder = EmulatorFolder(options)
            let running = RunningEmulator.find(in: folder.path)
            let server = running == nil ? try await folder.start(devices: [], port: 0) : nil
            let answer = try await fetch(running?.url ?? server?.url ?? "")
            await server?.stop()
            switch format {
            case .json: Output.data(answer.withoutRegistrations.prettyText + "\n")
            case .text: Output.data(InboxTextView().render(answer))
            }
        }
    }

    private func fetch(_ url: String) async throws(CommandFailure) -> JSONValue {
        let transport = CurlTransport()
        let request = HTTPRequest(method: .get, url: url + "/emulator/v1/inboxes")
        let result = await answer(of: request, transport)
        await transport.shutdown()
        do throws(TransportError) {
            let answer = try result.get()
            guard answer.status == 200, let json = JSONValue(parsing: answer.body) else {
                throw TransportError(
                    fate: .perhapsSent,
                    reason: .malformedAnswer,
                    detail: "it answered something else"
                )
            }
            return json
        } catch {
            throw CommandFailure("the emulator at \(url) can't be asked: \(error.detail)")
        }
    }

    private func answer(
        of request: HTTPRequest,
        _ transport: CurlTransport
    ) async -> Result<HTTPAnswer, TransportError> {
        do {
            return .success(try await transport.send(request))
        } catch {
            return .failure(error)
        }
    }
}

extension JSONValue {
    /// The inboxes as they may be printed: a device is known by its name.
    fileprivate var withoutRegistrations: JSONValue {
        let devices = (self["devices"]?.arrayValue ?? []).map { device in
            var members = device.objectValue ?? JSONObject()
            members["registration"] = nil
            return JSONValue.object(members)
        }
        return .object(["devices": .array(devices)])
    }
}
