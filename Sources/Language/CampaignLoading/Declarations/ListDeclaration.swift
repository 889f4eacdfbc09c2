package import CampaignModel
import Diagnostics
import JSON
import YAMLSyntax

/// A reference to a list of registrations, as written.
package enum ListReference: Sendable {
    case file(String)
    case inline([Spanned<Registration>])
    case described(RegistrationFile)
    /// The output of a source that is not declared, or is not resolved yet.
    case sourced(SourcedList)

    /// The referenced list.
    package var list: RegistrationList {
        switch self {
        case .file(let path): .file(path: path)
        case .inline(let registrations): .inline(registrations.map(\.value))
        case .described(let file): .described(file)
        case .sourced(let list): .described(list.file(as: .text))
        }
    }
}

/// A `registrations:` mapping as written.
struct ListDeclaration: Sendable {
    var file: Spanned<String>?
    var source: Spanned<ListSourceID>?
    var kind: Spanned<RegistrationFile.Kind>?
    var column: Spanned<String>?
    var identity: Spanned<String>?
    var locale: Spanned<String>?
    var timeZone: Spanned<String>?
    var publicKey: Spanned<String>?
    var covariate: Spanned<String>?
    var reading: Spanned<RegistrationFile.Reading>?

    static let reader = MappingReader<ListDeclaration>(
        "`registrations`",
        fields: [
            .optional(
                "file",
                at: \.file,
                as: .listPath,
                about:
                    "A text file with one registration per line, a CSV file with a header line, or "
                    + "NDJSON, each also compressed with gzip or zstd. The path is relative to the "
                    + "folder of herald.yaml; `*`, `?` and `[a-z]` match names of files.",
                examples: ["campaigns/registrations/beta.csv"]
            ),
            .optional(
                "source",
                at: \.source,
                as: .identifier(),
                about: "Name of an entry of `sources` in herald.yaml, whose output is the list.",
                examples: ["vip"]
            ),
            .optional(
                "kind",
                at: \.kind,
                as: .choice,
                about: "`token` for registration tokens, `fid` for Firebase installation IDs."
            ),
            .optional(
                "column",
                at: \.column,
                as: .columnName,
                about: "Column of the registrations (default: `registration`).",
                examples: ["registration"]
            ),
            .optional(
                "identity",
                at: \.identity,
                as: .columnName,
                about: "Column of the person who owns several registrations.",
                examples: ["user"]
            ),
            .optional(
                "locale",
                at: \.locale,
                as: .columnName,
                about: "Column of the recipient's locale, such as `pt-BR` (default: `locale`).",
                examples: ["language"]
            ),
            .optional(
                "timezone",
                at: \.timeZone,
                as: .columnName,
                about: "Column of the recipient's IANA time zone, such as `Atlantic/Azores`.",
                examples: ["timezone"]
            ),
            .optional(
                "public_key",
                at: \.publicKey,
                as: .columnName,
                about:
                    "Column of the recipient's X25519 key in base64, for campaigns with `encrypt`.",
                examples: ["public_key"]
            ),
            .optional(
                "covariate",
                at: \.covariate,
                as: .columnName,
                about:
                    "Column of a number from before an experiment, such as earlier purchases, which "
                    + "narrows its intervals. Empty is 0.",
                examples: ["orders_last_month"]
            ),
            .optional(
                "read",
                at: \.reading,
                as: .choice,
                about: "When to read the list of a scheduled send (default: `at_apply`)."
            ),
        ],
        oneOf: [["file", "source"]]
    )
}

extension ValueReader where Value == ListReference {
    static let registrationList = ValueReader(
        .either([
            ValueReader<String>.listPath.schema,
            .list(of: ValueReader<Registration>.listed.schema, atLeast: 1),
            .mapping(ListDeclaration.reader.schema),
        ])
    ) { node, log in
        if let elements = node.elements { return inline(elements, reportingTo: &log) }
        if node.entries != nil { return described(node, reportingTo: &log) }
        guard node.requireScalar("a path or a list", reportingTo: &log) != nil,
            let path = ValueReader<String>.listPath.read(node, &log)
        else { return nil }
        let format = RegistrationFile.Format(path: path)
        guard format != .text else { return .file(path) }
        return .described(ListDeclaration().file(path, format: format))
    }

    /// A list without its invalid registrations would be another list, so the whole list is
    /// unknown.
    private static func inline(
        _ elements: [SyntaxNode],
        reportingTo log: inout DiagnosticLog
    ) -> ListReference? {
        let registrations = elements.compactMap { element in
            ValueReader<Registration>.listed.read(element, &log).map {
                Spanned($0, at: element.span)
            }
        }
        return registrations.count == elements.count ? .inline(registrations) : nil
    }

    /// The keys that name columns.
    private static let columnKeys: Set<String> = [
        "column", "identity", "locale", "timezone", "public_key", "covariate",
    ]

    private static func described(
        _ node: SyntaxNode,
        reportingTo log: inout DiagnosticLog
    ) -> ListReference? {
        var declaration = ListDeclaration()
        guard ListDeclaration.reader.read(node, into: &declaration, reportingTo: &log) else {
            return nil
        }
        if let source = declaration.source, declaration.file == nil {
            return .sourced(SourcedList(source, declaration))
        }
        guard let path = declaration.file?.value else { return nil }
        let format = RegistrationFile.Format(path: path)
        let columns = (node.entries ?? []).filter {
            columnKeys.contains($0.key.scalar?.text ?? "")
        }
        if format == .text, let column = columns.first {
            log.report(.columnOfText(column, path: path))
        }
        if format == .text, declaration.saysOnlyWhere { return .file(path) }
        return .described(declaration.file(path, format: format))
    }
}

extension ListDeclaration {
    fileprivate var saysOnlyWhere: Bool {
        kind == nil && reading == nil
            && [column, identity, locale, timeZone, publicKey, covariate].allSatisfy { $0 == nil }
    }

    func file(
        _ path: String,
        format: RegistrationFile.Format,
        source: ListSourceID? = nil
    ) -> RegistrationFile {
        RegistrationFile(
            path: path,
            format: format,
            kind: kind?.value ?? .token,
            column: format == .text ? nil : column?.value ?? "registration",
            identity: identity?.value,
            reading: reading?.value ?? .atApply,
            locale: locale?.value,
            timeZone: timeZone?.value,
            publicKey: publicKey?.value,
            covariate: covariate?.value,
            source: source
        )
    }
}

extension ValueReader where Value == EnvironmentList {
    /// The path of an audience's list in one environment.
    static let environmentList = ValueReader(ValueReader<String>.listPath.schema) { node, log in
        guard let path = ValueReader<String>.listPath.read(node, &log) else { return nil }
        return EnvironmentList(path: path, span: node.span)
    }
}

extension ListReference {
    /// Returns the same list in another file.
    ///
    /// The file's name determines its format. Columns, kind and time of reading stay the same.
    func inFile(_ path: String) -> ListReference {
        let format = RegistrationFile.Format(path: path)
        guard case .described(let file) = self else {
            guard format != .text else { return .file(path) }
            return .described(ListDeclaration().file(path, format: format))
        }
        let hasColumns = format != .text
        if !hasColumns, file.kind == .token, file.reading == .atApply { return .file(path) }
        return .described(
            RegistrationFile(
                path: path,
                format: format,
                kind: file.kind,
                column: hasColumns ? file.column ?? "registration" : nil,
                identity: hasColumns ? file.identity : nil,
                reading: file.reading,
                locale: hasColumns ? file.locale : nil,
                timeZone: hasColumns ? file.timeZone : nil,
                publicKey: hasColumns ? file.publicKey : nil,
                covariate: hasColumns ? file.covariate : nil
            )
        )
    }
}

extension String {
    /// The file extension of a list's path, without one that names a compression.
    fileprivate var listExtension: String { ListFileName(path: self).fileExtension }

    /// Whether a file of this name is certainly not a text with one registration per line.
    fileprivate var isOfForeignFormat: Bool { Self.foreignExtensions.contains(listExtension) }

    /// Whether it ends like the name of a list; no registration contains a dot.
    fileprivate var isListName: Bool {
        Self.listExtensions.contains(listExtension) || hasCompression
    }

    private var hasCompression: Bool { ListFileName.withoutCompression(self) != self }

    /// A pattern for names of files that are not lists.
    fileprivate static let foreignPattern =
        "(\(pattern(of: foreignExtensions)))(\\.(\(compressionPattern)))?"
    fileprivate static let listNamePattern = pattern(
        of: listExtensions.union(ListFileName.compressions)
    )

    private static let compressionPattern = pattern(of: Set(ListFileName.compressions))

    /// The extensions as alternatives of a pattern, with letters in either case.
    private static func pattern(of extensions: Set<String>) -> String {
        extensions.sorted().map { name in
            name.map { $0.isLetter ? "[\($0)\($0.uppercased())]" : "\($0)" }.joined()
        }.joined(separator: "|")
    }

    private static let listExtensions = foreignExtensions.union(["csv", "ndjson", "txt"])

    private static let foreignExtensions: Set<String> = [
        "7z", "avro", "bz2", "db", "json", "jsonl", "numbers", "ods", "parquet", "sqlite", "tar",
        "tgz", "tsv", "xls", "xlsx", "xml", "xz", "yaml", "yml", "zip",
    ]
}

extension ValueReader where Value == Registration {
    /// A registration in a list; the name of a list given by mistake is reported.
    fileprivate static let listed = ValueReader(
        .text(
            TextForm(
                pattern: "(?!.*\\.(\(String.listNamePattern))$)\(Registration.pattern)",
                lookalikes: .everything
            )
        )
    ) { node, log in
        guard node.scalar?.text.isListName != true else {
            log.report(.listAmongRegistrations(at: node.span))
            return nil
        }
        return ValueReader<Registration>.registration.read(node, &log)
    }
}

extension ValueReader where Value == String {
    /// The path of a list; a registration given by mistake is not repeated.
    fileprivate static let listPath = ValueReader(
        .text(
            TextForm(
                pattern: "(?!.*:APA91b)(?!.*\\.\(String.foreignPattern)$).+",
                lookalikes: .everything
            )
        )
    ) { node, log in
        guard let scalar = node.requireScalar("a path", reportingTo: &log) else { return nil }
        guard !RegistrationConcealment.looksLikeRegistration(scalar.text) else {
            log.report(.registrationForPath(at: node.span))
            return nil
        }
        guard !scalar.text.isEmpty else {
            log.report(
                .unacceptable("", expected: ExpectedText("a path", rule: .wrongKind), at: node.span)
            )
            return nil
        }
        guard !scalar.text.isOfForeignFormat else {
            log.report(.foreignFormat(scalar.text, at: node.span))
            return nil
        }
        do throws(PathPattern.Failure) {
            _ = try PathPattern(parsing: scalar.text)
        } catch {
            log.report(.brokenPattern(error, at: node.span))
            return nil
        }
        return scalar.text
    }

    static let columnName = ValueReader.scalar(
        ExpectedText("a column name", rule: .invalidName, help: "copy it from the header line"),
        schema: .text(TextForm(pattern: ".+", lookalikes: .everything)),
        parse: { $0.isEmpty ? nil : $0 }
    )
}

extension Diagnostic {
    fileprivate static func columnOfText(_ entry: SyntaxEntry, path: String) -> Diagnostic {
        Diagnostic(
            rule: .conflictingKeys,
            message: "\(path) has one registration per line and no columns",
            span: entry.key.span,
            label: "only .csv and .ndjson files have columns",
            help: ["remove it, or use a file with columns"]
        )
    }

    /// If it were read as text, Herald would send to its header and other content.
    fileprivate static func foreignFormat(_ path: String, at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .unknownValue,
            message: "a list cannot be a `.\(path.listExtension)` file",
            span: span,
            label: "not a supported list format",
            help: [
                "use a text file with one registration per line, a `.csv` with a header line, or "
                    + "`.ndjson`"
            ]
        )
    }

    fileprivate static func brokenPattern(
        _ failure: PathPattern.Failure,
        at span: SourceSpan
    ) -> Diagnostic {
        let (message, help) =
            switch failure {
            case .doubleStar:
                (
                    "`**` is not supported in the path of a list",
                    "write one `*` for each directory between the slashes"
                )
            case .unclosedBracket:
                (
                    "a `[` in the path of a list has no closing bracket",
                    "to name a file whose name contains `[`, write `\\[`"
                )
            case .emptyRange:
                (
                    "a range in brackets ends before it begins",
                    "write the lower character first, as in `[a-z]`"
                )
            case .trailingBackslash:
                (
                    "a name in the path of a list ends with a backslash",
                    "write two backslashes for a name that contains one"
                )
            }
        return Diagnostic(
            rule: .unknownValue,
            message: message,
            span: span,
            label: "not a path or a pattern",
            help: [help]
        )
    }

    fileprivate static func listAmongRegistrations(at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .wrongKind,
            message: "expected a registration, found the name of a file",
            span: span,
            label: "a file name",
            help: ["to use the list, write its path without brackets: `registrations: PATH`"]
        )
    }

    fileprivate static func registrationForPath(at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .wrongKind,
            message: "expected a path or a list, found a registration",
            span: span,
            label: "a registration",
            help: ["put it in brackets to make it a list, or in a file"]
        )
    }
}
