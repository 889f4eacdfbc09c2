package import CampaignModel
import Diagnostics
import JSON
import YAMLSyntax

/// An entry of `sources:` as written.
package struct SourceDeclaration: Sendable {
    package var command: Spanned<[Spanned<String>]>?
    package var variables: Spanned<[Spanned<String>]>?
    package var format: Spanned<RegistrationFile.Format>?
    package var postgres: Spanned<String>?
    package var query: Spanned<String>?
    package var timeout: Spanned<Int64>?
    package var maximumDrift: Spanned<Percentage>?

    package static let reader = MappingReader<SourceDeclaration>(
        "a source",
        fields: [
            .optional(
                "command",
                at: \.command,
                as: .list(of: .argument, atLeast: 1),
                about: "Program and its arguments, which write a list to standard output. It runs "
                    + "without a shell in the folder of herald.yaml.",
                examples: [["./export-vips", "--format", "csv"]]
            ),
            .optional(
                "environment",
                at: \.variables,
                as: .list(of: .variableName),
                about:
                    "Environment variables that the program gets besides PATH, HOME, LANG and TZ.",
                examples: [["EXPORT_TOKEN"]]
            ),
            .optional(
                "format",
                at: \.format,
                as: .choice,
                about: "Format of the program's output.",
                examples: ["csv"]
            ),
            .optional(
                "postgres",
                at: \.postgres,
                as: .variableReference,
                about: "Environment variable that contains the connection string of a PostgreSQL "
                    + "server.",
                examples: ["${HERALD_LISTS_URL}"]
            ),
            .optional(
                "query",
                at: \.query,
                as: .query,
                about:
                    "One SELECT statement, which runs in a read-only transaction. Its rows are the "
                    + "list, and the names of its columns are the list's columns.",
                examples: ["SELECT token AS registration, name FROM app.lapsed"]
            ),
            .optional(
                "timeout",
                at: \.timeout,
                as: .sourceTimeout,
                about: "Time limit, from 1s to 1h (default: 60s).",
                examples: ["60s"]
            ),
            .optional(
                "max_drift",
                at: \.maximumDrift,
                as: .percentage,
                about: "How much the number of rows may differ between review and apply "
                    + "(default: 0%).",
                examples: ["5%"]
            ),
        ],
        oneOf: [["command", "postgres"]],
        needs: [
            .init("command", beside: "format"), .init("format", beside: "command"),
            .init("environment", beside: "command"), .init("postgres", beside: "query"),
            .init("query", beside: "postgres"),
        ]
    )
}

extension SourceDeclaration {
    /// Nil if a required value is missing or could not be read.
    func source(_ id: ListSourceID) -> ListSource? {
        guard let origin else { return nil }
        let format: RegistrationFile.Format? =
            switch origin {
            case .command: self.format?.value
            case .query: .csv
            }
        return format.map { format in
            ListSource(
                id: id,
                origin: origin,
                format: format,
                timeout: timeout?.value ?? ListSource.standardTimeout,
                maximumDrift: maximumDrift?.value ?? .none
            )
        }
    }

    private var origin: ListSource.Origin? {
        if let command, !command.value.isEmpty {
            return .command(
                SourceCommand(
                    arguments: command.value.map(\.value),
                    variables: variables?.value.map(\.value) ?? []
                )
            )
        }
        guard let postgres, let query else { return nil }
        return .query(SourceQuery(variable: postgres.value, text: query.value))
    }
}

extension ValueReader where Value == String {
    /// A program or one of its arguments; the operating system ends it at NUL.
    fileprivate static let argument = ValueReader.scalar(
        ExpectedText(
            "an argument of a program",
            rule: .unknownValue,
            help: "an argument cannot contain the character NUL"
        ),
        schema: .text(.any),
        parse: { $0.utf8.contains(0) ? nil : $0 }
    )

    fileprivate static let variableName = ValueReader.scalar(
        ExpectedText(
            "the name of an environment variable",
            rule: .environmentVariable,
            help: "use letters, digits and `_`, and do not start with a digit"
        ),
        schema: .text(TextForm(pattern: "[A-Za-z_][A-Za-z0-9_]*")),
        parse: { EnvironmentVariables.isName($0) ? $0 : nil }
    )

    /// Returns the name of the variable; another text may contain a password and is not repeated.
    fileprivate static let variableReference = ValueReader(
        .text(TextForm(pattern: "\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}"))
    ) { node, log in
        guard let scalar = node.requireScalar("`${NAME}`", reportingTo: &log) else { return nil }
        let parts = VariableText.parts(of: scalar.text)
        if let name = parts.onlyVariable { return name }
        log.report(
            Diagnostic(
                rule: .environmentVariable,
                message: "the connection string must be in an environment variable",
                span: node.span,
                label: "should be only `${NAME}`",
                help: ["put the address and the password into a variable of the operator"]
            )
        )
        return nil
    }

    fileprivate static let query = ValueReader.scalar(
        ExpectedText("a query", rule: .unknownValue, help: "write one SELECT statement"),
        schema: .text(TextForm(pattern: "\\s*\\S[\\s\\S]*")),
        parse: { text in
            let isBlank = text.allSatisfy(\.isWhitespace)
            return isBlank || text.utf8.contains(0) ? nil : text
        }
    )
}

extension [VariableText] {
    /// The name of the variable that is the whole text; nil if there is anything else.
    fileprivate var onlyVariable: String? {
        var name: String?
        for part in self {
            switch part {
            case .literal(let text) where text.isEmpty: break
            case .variable(let found, _) where name == nil: name = found
            case .literal, .variable, .broken: return nil
            }
        }
        return name
    }
}

extension ValueReader where Value == Int64 {
    fileprivate static let sourceTimeout = ValueReader(duration.schema) { node, log in
        guard let seconds = duration.read(node, &log) else { return nil }
        guard ListSource.timeoutRange.contains(seconds) else {
            log.report(
                Diagnostic(
                    rule: .numberOutOfRange,
                    message: "a time limit of \(node.scalar?.written ?? "") is out of range",
                    span: node.span,
                    label: "should be from 1s to 1h"
                )
            )
            return nil
        }
        return seconds
    }
}
