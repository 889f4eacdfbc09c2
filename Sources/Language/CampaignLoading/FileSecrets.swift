import Diagnostics
import YAMLSyntax

/// The secrets in a file that are recognized by their form.
///
/// They may be in values, keys and comments, even if the text is not YAML.
struct FileSecrets: Sendable {
    private struct Place: Sendable {
        let kind: SecretText
        let span: SourceSpan
    }

    private var places: [Place]
    private let scanned: SpanIndex

    /// `tree`: The parsed file, if parsing succeeded.
    init(in bytes: [UInt8], tree: SyntaxTree?, of source: SourceID) {
        let scan = bytes.withUnsafeBufferPointer { SecretScan($0) }
        places = scan.found.map { found in
            let range = found.range
            let span = SourceSpan(source: source, start: range.lowerBound, end: range.upperBound)
            return Place(kind: found.kind, span: span)
        }
        scanned = SpanIndex(scan.hasEscapes ? places.map(\.span) : [])
        guard scan.hasEscapes else { return }
        for document in tree?.documents ?? [] { addEscaped(in: document) }
    }

    /// Returns the spans that diagnostics must not show: these secrets, and values of secret keys.
    static func hiddenPlaces(in bytes: [UInt8], of source: SourceID) -> [SourceSpan] {
        var log = DiagnosticLog()
        let tree = YAMLParser.parse(bytes, source: source, into: &log)
        return FileSecrets(in: bytes, tree: tree, of: source).places.map(\.span)
            + (tree.map(RegistrationConcealment.places) ?? [])
    }

    var registrations: [SourceSpan] { places.filter { $0.kind == .registration }.map(\.span) }

    func reportCredentials(_ log: inout DiagnosticLog) {
        for place in places {
            guard let name = place.kind.credentialName else { continue }
            log.report(.credentialInFile(name, at: place.span))
        }
    }

    /// Adds secrets that appear only after escapes are resolved.
    private mutating func addEscaped(in node: SyntaxNode) {
        switch node.content {
        case .scalar(let scalar): addEscaped(scalar, at: node.span)
        case .sequence(let nodes): for node in nodes { addEscaped(in: node) }
        case .mapping(let entries):
            for entry in entries {
                addEscaped(in: entry.key)
                addEscaped(in: entry.value)
            }
        }
    }

    private mutating func addEscaped(_ scalar: SyntaxScalar, at span: SourceSpan) {
        guard scalar.style == .doubleQuoted, scalar.verbatimStart == nil,
            !scanned.overlaps(span)
        else { return }
        var text = scalar.text
        let found = text.withUTF8 { SecretScan($0).found }
        if let kind = found.first?.kind { places.append(Place(kind: kind, span: span)) }
    }
}

extension Diagnostic {
    fileprivate static func credentialInFile(
        _ name: String,
        at span: SourceSpan
    ) -> Diagnostic {
        Diagnostic(
            rule: .credentialInFile,
            message: "files must not contain credentials: this looks like \(name)",
            span: span,
            label: "anyone who can read the file can use it",
            help: [
                "remove it and rotate it, because the file's history still contains it",
                "name the credentials in an environment: `application-default`, `env:NAME` or the "
                    + "path of a key file",
            ]
        )
    }
}
