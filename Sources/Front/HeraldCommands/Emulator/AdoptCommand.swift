import ArgumentParser
import CampaignLoading
import CampaignModel
import DeliveryModel
import EmulatorAPI
import HTTPTransport
import JSON
import Presentation
import RegistrationLists

/// The `herald emulator adopt` command, which makes devices for a list's registrations.
struct AdoptCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "adopt",
        _superCommandName: "herald emulator",
        abstract: "Make devices for the registrations of a list.",
        discussion: """
            EXAMPLES
              herald emulator adopt beta-anglers
              herald emulator adopt registrations/beta.csv --platform apple
              herald emulator adopt @phones.txt --project-id demo

            The emulator then accepts messages to these registrations, so that you can rehearse a \
            campaign with real lists on `local`. Registrations that have a device keep it. The \
            emulator's request log contains the registrations.
            """
    )

    @OptionGroup var options: ProjectOptions

    @Option(help: "Platform of the new devices: android, apple or web.")
    var platform = DevicePlatform.android

    @OptionGroup var target: EmulatorTargetFlags

    @Argument(
        help: ArgumentHelp(
            "An audience or a file. @FILE has one registration per line.",
            valueName: "list"
        )
    )
    var name: String

    func run() async throws {
        try await options.reportingFailure {
            let session = try Session(options)
            let project = session.load().project
            let named = try NamedList(argument: name, of: project, in: session)
            let client = try await target.client(options)
            let adoption = Adoption(session: session, project: project, platform: platform)
            let result = try await client.asking { (client) async throws(CommandFailure) in
                try await adoption.adopt(named.list, by: client, query: target.query)
            }
            Output.data(AdoptionWording.adopted(result.added, known: result.known, list: name))
        }
    }
}

/// The adoption of lists by an emulator.
struct Adoption {
    let session: Session
    let project: Project?
    let platform: DevicePlatform

    /// Number of registrations in one request, which stays below the emulator's limit of a body.
    private static let batch = 2_000

    /// Makes devices for all registrations of a list; a broken line adopts nothing more.
    func adopt(
        _ list: RegistrationList,
        by client: EmulatorControlClient,
        query: SearchParameters
    ) async throws(CommandFailure) -> (added: Int, known: Int) {
        var (added, known) = (0, 0)
        var batch: [JSONValue] = []
        let tokens = try registrations(of: list)
        for token in tokens {
            batch.append(.string(token))
            guard batch.count == Self.batch else { continue }
            let part = try await send(batch, to: client, query: query)
            (added, known) = (added + part.added, known + part.known)
            batch = []
        }
        let rest = batch.isEmpty ? (0, 0) : try await send(batch, to: client, query: query)
        return (added + rest.0, known + rest.1)
    }

    private func registrations(of list: RegistrationList) throws(CommandFailure) -> [String] {
        let places: any ListPlaces =
            if let project {
                try session.readSources(of: [list], in: project)
            } else {
                session.options.directory
            }
        return try mapListErrors { () throws(RegistrationListError) in
            var reader = try RegistrationReader(list, directory: places)
            var tokens: [String] = []
            while let entry = try reader.next() {
                switch entry {
                case .registration(let registration): tokens.append(registration.token)
                case .broken(let line): throw .brokenLines([line], path: list.path ?? "", count: 1)
                }
            }
            return tokens
        }
    }

    private func send(
        _ batch: [JSONValue],
        to client: EmulatorControlClient,
        query: SearchParameters
    ) async throws(CommandFailure) -> (added: Int, known: Int) {
        let body: JSONValue = [
            "platform": .string(platform.rawValue), "registrations": .array(batch),
        ]
        let answer = try await client.answer(
            to: "/emulator/v1/registrations" + query.text,
            method: .post,
            body: body.compactBytes
        )
        guard answer.status == 200, let added = answer.json["added"]?.integerValue,
            let known = answer.json["known"]?.integerValue
        else {
            let message = answer.json["error"]?["message"]?.stringValue
            throw CommandFailure(
                .emulatorRefused(because: message ?? EmulatorAnswerWording.unexpected)
            )
        }
        return (Int(added), Int(known))
    }
}
