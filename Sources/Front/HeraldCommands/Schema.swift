import ArgumentParser
import CampaignLoading
import Presentation
import EmulatorServer
import FoundationEssentials

/// The `herald schema` command, which prints JSON Schemas and the emulator's API description.
struct Schema: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the JSON Schema of a file or of output, or the emulator's API.",
        discussion: """
            EXAMPLES
              herald schema project      of herald.yaml
              herald schema campaign     of each document below campaigns/
              herald schema population   of what `herald simulate --population` takes
              herald schema plan         of `herald plan --format json`
              herald schema history      of what `herald history --format json` writes
              herald schema events       of a line of `herald apply --json`
              herald schema emulator     OpenAPI of what `herald emulator` serves
              herald schema --write      all of them, into schemas/ of the project

            Editors find a schema by the first line of a file, relative to the file:
            `# yaml-language-server: $schema=../schemas/campaign.schema.json`.
            """
    )

    @OptionGroup var options: GlobalOptions

    @Argument(help: "Which one to print.")
    var document: Document?

    @Flag(help: "Write all of them into the folder schemas/ of the project.")
    var write = false

    func validate() throws {
        guard write == (document == nil) else {
            throw ValidationError(
                "say project, campaign, population, plan, history, events, emulator or --write, "
                    + "one of them"
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
            throw CommandFailure(
                "there is no \(ProjectLoader.projectFile) in "
                    + "\(TextStyle.safe(options.directory))",
                help: "run herald in the project's folder, or name it with -C DIR"
            )
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
                throw CommandFailure("\(path) can't be written", help: "is the folder writable?")
            }
            Output.message("Wrote \(path).\n")
        }
    }
}

extension Schema {
    enum Document: String, CaseIterable, ExpressibleByArgument {
        case project
        case campaign
        case population
        case plan
        case history
        case events
        case emulator

        var text: String {
            switch self {
            case .project: JSONSchemaDocument.project.text
            case .campaign: JSONSchemaDocument.campaign.text
            case .population: JSONSchemaDocument.population.text
            case .plan: PlanJSONSchema.text
            case .history: HistorySchema.text
            case .events: EventSchema.text
            case .emulator: OpenAPIDocument.text
            }
        }

        var fileName: String {
            switch self {
            case .project: JSONSchemaDocument.project.fileName
            case .campaign: JSONSchemaDocument.campaign.fileName
            case .population: JSONSchemaDocument.population.fileName
            case .plan: PlanJSONSchema.fileName
            case .history: HistorySchema.fileName
            case .events: EventSchema.fileName
            case .emulator: OpenAPIDocument.fileName
            }
        }
    }
}
