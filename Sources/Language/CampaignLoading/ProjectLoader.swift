package import CampaignModel
package import Diagnostics
package import Time
import YAMLSyntax

/// A loaded project: its declarations, its model, and all problems found.
package struct LoadedProject: Sendable {
    package let catalog: SourceCatalog
    package let declarations: Declarations
    /// nil if the project file could not be read.
    package let project: Project?
    package let log: DiagnosticLog
    /// The project's settings for findings, which apply after all rules have run.
    package let settings: FindingSettings
    /// Values that several places of a file share; a fix there is never certain.
    package let shared: SpanIndex
    /// The time zones with which schedules were resolved.
    package let zones: TimeZoneDatabase
    /// The values of environment variables that `herald.yaml` inserts, by their names.
    package let insertedVariables: [String: String]
    /// The campaigns and lists in the files that the environment does not use.
    let unused: [SourceSpan]
}

extension LoadedProject {
    /// Returns the project with audiences that the files do not declare.
    package func adding(_ audiences: [Audience]) -> LoadedProject {
        guard !audiences.isEmpty, let project else { return self }
        return LoadedProject(
            catalog: catalog,
            declarations: declarations,
            project: project.adding(audiences),
            log: log,
            settings: settings,
            shared: shared,
            zones: zones,
            insertedVariables: insertedVariables,
            unused: unused
        )
    }
}

/// Reads `herald.yaml` and every YAML file below `campaigns/`.
package struct ProjectLoader: Sendable {
    private let zones: TimeZoneDatabase
    private let variables: EnvironmentVariables?
    private let environment: EnvironmentID?

    /// Without `variables`, the variables of `herald.yaml` are not resolved.
    ///
    /// `environment`: the environment whose lists, defaults and campaigns are loaded; by default
    /// that of `variables`. Without one, all campaigns are loaded as no environment changes them.
    package init(
        zones: TimeZoneDatabase,
        variables: EnvironmentVariables? = nil,
        environment: EnvironmentID? = nil
    ) {
        self.zones = zones
        self.variables = variables
        self.environment = environment ?? variables?.environment
    }

    package static let projectFile = "herald.yaml"
    package static let campaignFolder = "campaigns"

    /// `directory`: The project directory; paths in messages are relative to it.
    package func load(directory: String) -> LoadedProject {
        let files = ProjectFiles(directory: directory)
        let found = files.campaignFiles()
        return load([Self.projectFile] + found.map(\.path), besides: files.misnamedCampaignFolder())
        { number in
            number == 0 ? files.read(Self.projectFile) : files.read(found[number - 1])
        }
    }

    /// Reads only `herald.yaml`, for commands that need no campaign.
    package func loadProjectFile(directory: String) -> LoadedProject {
        load([(Self.projectFile, ProjectFiles(directory: directory).read(Self.projectFile))])
    }

    package func load(_ sources: ProjectSources) -> LoadedProject {
        load(sources.files.map(\.path), besides: sources.misnamed) { sources.files[$0].result }
    }

    /// Loads texts that are already in memory; the first is the project file.
    package func load(
        _ sources: [(path: String, result: Result<[UInt8], FileProblem>)]
    ) -> LoadedProject {
        load(sources.map(\.path), besides: nil) { sources[$0].result }
    }

    /// `misnamed`: A directory that is not read but was probably intended to be.
    private func load(
        _ paths: [String],
        besides misnamed: String?,
        read: @Sendable (Int) -> Result<[UInt8], FileProblem>
    ) -> LoadedProject {
        let projectID = SourceID(index: 0)
        let projectFile = FileReading(path: paths[0], result: read(0), as: projectID)
        var reading = ProjectReading(projectFile)
        if let misnamed { reading.log.report(.misnamedFolder(misnamed)) }
        let defaults = reading.declareProject(
            projectFile,
            variables: variables,
            environment: environment
        )
        let readings = mapInParallel(Array(paths.indices.dropFirst())) { number in
            var file = FileReading(
                path: paths[number],
                result: read(number),
                as: SourceID(index: UInt32(number))
            )
            file.declare(over: defaults)
            return file
        }
        let files = Self.extendingMessages(in: readings, over: defaults)
        for place in files.indices { reading.add(files[place]) }
        // A project file that is read alone has no campaigns to refer to.
        if paths.count > 1 { reading.checkEnvironments(only: environment) }
        reading.resolveSources()
        return reading.resolved(zones, in: environment)
    }

    /// Reads the campaigns that wait for the shared messages of all files.
    private static func extendingMessages(
        in files: [FileReading],
        over defaults: SyntaxNode?
    ) -> [FileReading] {
        guard files.contains(where: \.waitsForMessages) else { return files }
        let messages = files.flatMap(\.declarations.sharedMessages)
        let inherited = InheritedValues(defaults: defaults, messages: messages)
        return mapInParallel(files) { file in
            var file = file
            if file.waitsForMessages { file.declareCampaigns(inheriting: inherited) }
            return file
        }
    }
}

/// The state of a project that is being read.
private struct ProjectReading {
    private var catalog = SourceCatalog(concealment: FileSecrets.hiddenPlaces)
    private var declarations = Declarations()
    private var allowances: [Allowance] = []
    private var shared: [SourceSpan] = []
    private var inserted: [String: String] = [:]
    var log = DiagnosticLog()

    init(_ project: FileReading) {
        add(project)
        if !project.isReadable { declarations.missFile(isProject: true) }
    }

    mutating func add(_ file: FileReading) {
        _ = catalog.add(path: file.path, bytes: file.bytes)
        declarations.absorb(file.declarations)
        allowances += file.allowances
        shared += file.shared
        log.absorb(file.log)
    }

    /// Returns the defaults that are merged under every campaign.
    mutating func declareProject(
        _ file: FileReading,
        variables: EnvironmentVariables?,
        environment: EnvironmentID?
    ) -> SyntaxNode? {
        guard file.isReadable else { return nil }
        guard let written = file.documents.first else {
            let start = SourceSpan(source: SourceID(index: 0), start: 0, end: 0)
            log.report(.emptyProject(at: start))
            return nil
        }
        for other in file.documents.dropFirst() { log.report(.secondProject(at: other.span)) }
        var expansion = VariableExpansion(variables: variables, log: log)
        let root = expansion.expand(project: written)
        log = expansion.log
        inserted = expansion.inserted
        declarations.declareProject(root.withoutRemovedDefaults, reportingTo: &log)
        return root.defaults(for: environment)
    }

    mutating func checkEnvironments(only environment: EnvironmentID?) {
        declarations.checkEnvironments(only: environment, reportingTo: &log)
    }

    mutating func resolveSources() {
        declarations.resolveSources(reportingTo: &log)
    }

    /// `environment`: the environment that the files are loaded for; nil for none.
    func resolved(_ zones: TimeZoneDatabase, in environment: EnvironmentID?) -> LoadedProject {
        let written = declarations
        let narrowed = environment.map { written.narrowed(to: $0) }
        let used = narrowed?.declarations ?? written
        var resolver = ProjectResolver(declarations: used, zones: zones, log: log)
        resolver.elsewhere = narrowed?.elsewhere ?? []
        let project = resolver.resolve()
        resolver.checkRuleSettings()
        resolver.checkRegistrations(in: written)
        return LoadedProject(
            catalog: catalog,
            declarations: used,
            project: project,
            log: resolver.log,
            settings: FindingSettings(
                rules: resolver.ruleSettings,
                allowances: allowances,
                reportsUnused: !(narrowed?.isChanged ?? false)
            ),
            shared: SpanIndex(outermostOf: shared),
            zones: zones,
            insertedVariables: inserted,
            unused: narrowed?.unused ?? []
        )
    }
}

extension Diagnostic {
    fileprivate static func misnamedFolder(_ name: String) -> Diagnostic {
        Diagnostic(
            rule: .unreadableFile,
            severity: .warning,
            message: "files in `\(name)/` are ignored",
            span: nil,
            help: ["rename the folder: Herald reads campaigns and audiences from `campaigns/`"]
        )
    }

    fileprivate static func secondProject(at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .unknownDocument,
            message: "the project file must contain only one document",
            span: span,
            label: "a second document",
            help: ["put campaigns and audiences in files below `campaigns/`"]
        )
    }

    fileprivate static func emptyProject(at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .missingKey,
            message: "the project file is empty",
            span: span,
            label: "needs at least `version: 1` and `project: NAME`"
        )
    }
}
