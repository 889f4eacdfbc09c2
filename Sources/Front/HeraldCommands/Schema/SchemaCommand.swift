import ArgumentParser
import CampaignLoading
import EmulatorAPI
import EmulatorWeb
import FoundationEssentials
import Presentation

/// The `herald schema` command, which prints JSON Schemas and the emulator's API description.
struct SchemaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        _superCommandName: "herald",
        abstract: "Print a JSON Schema, or the OpenAPI file of the emulator.",
        discussion: """
            EXAMPLES
              herald schema project      herald.yaml
              herald schema campaign     documents in campaigns/
              herald schema population   input of `herald simulate --population`
              herald schema plan         output of `herald plan --format json`
              herald schema history      output of `herald history --format json`
              herald schema calendar     output of `herald calendar --format json`
              herald schema status       output of `herald status --format json`
              herald schema results      output of `herald results --format json`
              herald schema check        output of `herald registrations check --json`
              herald schema events       a line of `herald apply --json`
              herald schema log          a line of `herald run --log-format json`
              herald schema notification a request to the webhook in `notify`
              herald schema emulator     OpenAPI file of `herald emulator`
              herald schema --write      write all of them into schemas/

            Editors read the schema's path from the first line of a file, relative to the file:
            `# yaml-language-server: $schema=../schemas/campaign.schema.json`.
            """
    )

    @OptionGroup var options: BasicOptions

    @Argument(help: "Schema to print.")
    var document: Document?

    @Flag(help: "Write all of them into schemas/ of the project.")
    var write = false

    func validate() throws {
        guard write == (document == nil) else {
            throw ValidationError(
                "give one of project, campaign, population, plan, history, calendar, status, results, "
                    + "check, events, log, notification, emulator or --write"
            )
        }
    }

    func run() async throws {
        try await options.reportingFailure {
            if let document { Output.data(document.text) }
            if write { try writeAll() }
        }
    }

    static let folder = "schemas"

    private func writeAll() throws(CommandFailure) {
        let project = URL(filePath: options.directory)
        let projectFile = project.appending(path: ProjectLoader.projectFile).path
        guard FileManager.default.fileExists(atPath: projectFile) else {
            throw CommandFailure(.noProject(in: options.directory))
        }
        for document in Document.allCases {
            let path = Self.folder + "/" + document.fileName
            do {
                let file = project.appending(path: path)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                try Data(document.text.utf8).write(to: file, options: .atomic)
            } catch {
                throw CommandFailure(.unwritableSchema(path))
            }
            Output.message(FileWording.wrote(path))
        }
    }
}

extension SchemaCommand {
    enum Document: String, CaseIterable, ExpressibleByArgument {
        case project
        case campaign
        case population
        case plan
        case history
        case calendar
        case status
        case results
        case check
        case events
        case log
        case notification
        case emulator

        var text: String {
            switch self {
            case .project: JSONSchemaDocument.project.text
            case .campaign: JSONSchemaDocument.campaign.text
            case .population: JSONSchemaDocument.population.text
            case .plan: PlanJSON.schema.text
            case .history: HistoryJSON.schema.text
            case .calendar: CalendarJSON.schema.text
            case .status: StatusJSON.schema.text
            case .results: ResultJSON.schema.text
            case .check: SweepJSON.schema.text
            case .events: EventJSON.schema.text
            case .log: ServiceLogJSON.schema.text
            case .notification: NotificationJSON.schema.text
            case .emulator: OpenAPIDocument.text(of: .served)
            }
        }

        var fileName: String {
            switch self {
            case .project: JSONSchemaDocument.project.fileName
            case .campaign: JSONSchemaDocument.campaign.fileName
            case .population: JSONSchemaDocument.population.fileName
            case .plan: PlanJSON.schema.fileName
            case .history: HistoryJSON.schema.fileName
            case .calendar: CalendarJSON.schema.fileName
            case .status: StatusJSON.schema.fileName
            case .results: ResultJSON.schema.fileName
            case .check: SweepJSON.schema.fileName
            case .events: EventJSON.schema.fileName
            case .log: ServiceLogJSON.schema.fileName
            case .notification: NotificationJSON.schema.fileName
            case .emulator: OpenAPIDocument.fileName
            }
        }
    }
}
