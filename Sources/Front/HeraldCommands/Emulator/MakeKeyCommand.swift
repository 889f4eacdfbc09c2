import ArgumentParser
import CurlTransport
import EmulatorAPI
import EmulatorServer
import HTTPTransport
import JSON
import Presentation

/// The `herald emulator make-key` command, which creates a service account for the emulator.
struct MakeKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "make-key",
        _superCommandName: "herald emulator",
        abstract: "Create a service account for tests and write its file.",
        discussion: """
            EXAMPLES
              herald emulator make-key robot@demo.iam.gserviceaccount.com key.json

            The project's emulator stores the public key, whether it is running or not. Google \
            does not accept the file.
            """
    )

    @OptionGroup var options: BasicOptions

    @Argument(help: "Email address, such as robot@demo.iam.gserviceaccount.com.")
    var email: String

    @Argument(help: "File to write. It must not exist yet.")
    var file: String

    @Option(
        help: """
            Token URL to write into the file. (default: that of the running emulator, otherwise \
            http://127.0.0.1:9099/token)
            """
    )
    var tokenURL: String?

    func run() async throws {
        try await options.reportingFailure {
            let folder = EmulatorFolder(options)
            let running = RunningEmulator.find(in: folder.path)
            let server = running == nil ? try await folder.start() : nil
            let result = await make(at: running?.url ?? server?.url ?? "", runningURL: running?.url)
            await server?.stop()
            try KeyFile(file).create(try result.get().prettyText + "\n")
        }
    }

    private func make(
        over transport: any Transport,
        sending request: HTTPRequest
    ) async -> Result<
        HTTPAnswer, TransportError
    > {
        do throws(TransportError) {
            return .success(try await transport.send(request))
        } catch {
            return .failure(error)
        }
    }

    private func make(
        at url: String,
        runningURL: String?
    ) async -> Result<
        JSONValue, CommandFailure
    > {
        let tokenURL = tokenURL ?? (runningURL ?? "http://127.0.0.1:9099") + "/token"
        let body: JSONValue = ["client_email": .string(email), "token_uri": .string(tokenURL)]
        let transport = CommandContext.current.openTransport(CurlTransport.Configuration())
        let request = HTTPRequest(
            method: .post,
            url: url + "/emulator/v1/auth/service-accounts",
            headers: [HTTPHeader(name: "Content-Type", value: "application/json")],
            body: body.compactBytes
        )
        let result = await make(over: transport, sending: request)
        await transport.shutdown()
        switch result {
        case .success(let answer):
            let json = JSONValue(parsing: answer.body)
            if answer.status == 200, let json { return .success(json) }
            let reason =
                json?["error"]?["message"]?.stringValue ?? EmulatorAnswerWording.unexpected
            return .failure(CommandFailure(.noKeyCreated(because: reason)))
        case .failure(let error):
            return .failure(
                CommandFailure(.unreachableEmulator(at: url, because: error.detail))
            )
        }
    }
}
