package import CampaignModel
package import Diagnostics
package import Scheduling
import YAMLSyntax

/// A project's files as values: what they declare, the model, and every problem found.
package struct LoadedProject: Sendable {
    package let catalog: SourceCatalog
    package let declarations: Declarations
    /// Nil where the project file itself could not be understood.
    package let project: Project?
    package let log: DiagnosticLog
    /// What the authors say of findings; it applies when every rule has looked.
    package let settings: FindingSettings
    /// The clocks by which schedules were read.
    package let zones: TimeZoneDatabase
}

/// Reads `herald.yaml` and every YAML file below `campaigns/`.
package struct ProjectLoader: Sendable {
    private let zones: TimeZoneDatabase
    private let variables: EnvironmentVariables?

    /// Without `variables` those of `herald.yaml` are not looked up.
    package init(zones: TimeZoneDatabase, variables: EnvironmentVariables? = nil) {
        self.zones = zones
        self.variables = variables
    }

    package static let projectFile = "herald.yaml"
    package static let campaignFolder = "campaigns"

    /// `directory`: the project's folder; paths in messages are relative to it.
    package func load(directory: String) -> LoadedProject {
        let files = ProjectFiles(directory: directory)
        let sources = [(Self.projectFile, files.read(Self.projectFile))] + files.campaignFiles()
        return load(sources, besides: files.misnamedCampaignFolder())
    }

    /// Loads texts that are already in memory; the first is the project file.
    ///
    /// `misnamed`: a folder that nothing is read from and that was probably meant to be.
    package func load(
        _ sources: [(path: String, result: Result<[UInt8], FileProblem>)],
        besides misnamed: String? = nil
    ) -> LoadedProject {
        var catalog = SourceCatalog()
        var log = DiagnosticLog()
        if let misnamed { log.report(.misnamedFolder(misnamed)) }
        var declarations = Declarations()
        var defaults: SyntaxNode?
        var allowances: [Allowance] = []
        for (number, source) in sources.enumerated() {
            switch source.result {
            case .failure(let problem):
                log.report(.unreadable(source.path, problem))
                declarations.missFile(isProject: number == 0)
            case .success(let bytes):
                let id = catalog.add(path: source.path, bytes: bytes)
                let tree = YAMLParser.parse(bytes, source: id, into: &log)
                catalog.conceal(
                    RegistrationConcealment.places(in: bytes, of: id)
                        + SecretText.places(in: bytes, of: id)
                        + (tree.map(RegistrationConcealment.places) ?? []),
                    in: id
                )
                if let tree {
                    let reader = AllowanceReader(tree, in: catalog[id])
                    allowances += reader.allowances
                    log.absorb(reader.log)
                } else {
                    declarations.missFile(isProject: number == 0)
                }
                if number == 0 {
                    defaults = declareProject(tree, id, &declarations, &log)
                } else {
                    for document in tree?.documents ?? [] {
                        declarations.declare(document, defaults: defaults, &log)
                    }
                }
            }
        }
        var resolver = ProjectResolver(declarations: declarations, zones: zones, log: log)
        let project = resolver.resolve()
        resolver.checkRuleSettings()
        return LoadedProject(
            catalog: catalog,
            declarations: declarations,
            project: project,
            log: resolver.log,
            settings: FindingSettings(rules: resolver.ruleSettings, allowances: allowances),
            zones: zones
        )
    }

    private func declareProject(
        _ tree: SyntaxTree?,
        _ id: SourceID,
        _ declarations: inout Declarations,
        _ log: inout DiagnosticLog
    ) -> SyntaxNode? {
        guard let tree else { return nil }
        guard let written = tree.documents.first else {
            log.report(.emptyProject(at: SourceSpan(source: id, start: 0, end: 0)))
            return nil
        }
        for other in tree.documents.dropFirst() { log.report(.secondProject(at: other.span)) }
        var expansion = VariableExpansion(variables: variables, log: log)
        let root = expansion.expand(project: written)
        log = expansion.log
        declarations.declareProject(root, &log)
        return root.entries?.first { $0.key.scalar?.text == "defaults" }?.value
            .keeping(DefaultsDeclaration.reader.keys)
    }
}

extension Diagnostic {
    fileprivate static func unreadable(_ path: String, _ problem: FileProblem) -> Diagnostic {
        let isProject = path == ProjectLoader.projectFile
        return Diagnostic(
            rule: .unreadableFile,
            message: "\(path) can't be read: \(problem.reason)",
            span: nil,
            help: isProject ? ["run herald in the project's folder, or name it with -C DIR"] : []
        )
    }

    fileprivate static func misnamedFolder(_ name: String) -> Diagnostic {
        Diagnostic(
            rule: .unreadableFile,
            severity: .warning,
            message: "nothing is read from `\(name)/`",
            span: nil,
            help: ["campaigns and audiences stand in files below `campaigns/`: rename the folder"]
        )
    }

    fileprivate static func secondProject(at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .unknownDocument,
            message: "the project file is one document",
            span: span,
            label: "a second document",
            help: ["campaigns and audiences stand in files below `campaigns/`"]
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
