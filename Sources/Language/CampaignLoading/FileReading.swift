import Diagnostics
import YAMLSyntax

/// The content of one file below `campaigns/`.
struct FileReading: Sendable {
    let path: String
    let bytes: [UInt8]
    private let source: SourceID
    private(set) var declarations = Declarations()
    private(set) var allowances: [Allowance] = []
    private(set) var log = DiagnosticLog()
    private(set) var documents: [SyntaxNode] = []
    /// The values of aliases.
    private(set) var shared: [SourceSpan] = []

    init(path: String, result: Result<[UInt8], FileProblem>, as source: SourceID) {
        self.path = path
        self.source = source
        switch result {
        case .failure(let problem):
            bytes = []
            log.report(.unreadable(path, problem: problem))
        case .success(let read):
            bytes = read
            parse(source)
        }
    }

    /// Whether the text was parsed as YAML.
    private(set) var isReadable = false

    private mutating func parse(_ source: SourceID) {
        let tree = YAMLParser.parse(bytes, source: source, into: &log)
        let secrets = FileSecrets(in: bytes, tree: tree, of: source)
        secrets.reportCredentials(&log)
        declarations.registrations = secrets.registrations
        guard let tree else { return }
        isReadable = true
        documents = tree.documents
        shared = tree.shared
        let reader = AllowanceReader(tree, in: bytes)
        allowances = reader.allowances
        log.absorb(reader.log)
    }

    /// Reads the documents.
    ///
    /// If a campaign extends a message, the campaigns wait for the messages of all files.
    mutating func declare(over defaults: SyntaxNode?) {
        if !isReadable { declarations.missFile(isProject: false) }
        if isReadable, documents.isEmpty {
            log.report(.declaresNothing(at: SourceSpan(source: source, start: 0, end: 0)))
        }
        let inherited = InheritedValues(defaults: defaults)
        let waits = documents.contains(where: \.extendsMessage)
        for document in documents where !(waits && document.isCampaign) {
            declarations.declare(document, inheriting: inherited, reportingTo: &log)
        }
        documents = waits ? documents.filter(\.isCampaign) : []
    }

    /// Whether the campaigns wait for the messages of all files.
    var waitsForMessages: Bool { !documents.isEmpty }

    /// Reads the campaigns that wait.
    mutating func declareCampaigns(inheriting inherited: InheritedValues) {
        for document in documents {
            declarations.declare(document, inheriting: inherited, reportingTo: &log)
        }
        documents = []
    }
}

extension Diagnostic {
    fileprivate static func declaresNothing(at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .unknownDocument,
            severity: .warning,
            message: "this file declares nothing",
            span: span,
            label: "empty, or only comments",
            help: ["remove the file, or declare a campaign: `campaign: NAME`"]
        )
    }

    fileprivate static func unreadable(_ path: String, problem: FileProblem) -> Diagnostic {
        let isProject = path == ProjectLoader.projectFile
        return Diagnostic(
            rule: .unreadableFile,
            message: "\(path) cannot be read: \(problem.reason)",
            span: nil,
            help: isProject ? ["run herald in the project directory, or name it with -C DIR"] : []
        )
    }
}
