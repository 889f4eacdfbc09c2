import CampaignModel
import Diagnostics
import Text
import Time
import YAMLSyntax

extension ValueReader where Value == CivilTime {
    static let timeOfDay = ValueReader.scalar(
        ExpectedText("a time of day", rule: .momentSyntax, help: "write it as \"22:00\""),
        schema: .text(TextForm(pattern: "([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?")),
        parse: { CivilTime(parsing: $0) }
    )
}

extension ValueReader where Value == String {
    static let projectID = ValueReader.scalar(
        ExpectedText(
            "a Firebase project ID",
            rule: .invalidName,
            help:
                "use a number, or 6 to 30 of a-z 0-9 - that start with a letter and do not end with "
                + "`-`"
        ),
        schema: .text(
            TextForm(
                pattern: "[a-z][a-z0-9-]{4,28}[a-z0-9]|[1-9][0-9]{0,19}",
                lookalikes: .integers(1...Int64.max)
            )
        ),
        parse: { isProjectID($0) ? $0 : nil }
    )

    static let senderID = ValueReader.scalar(
        ExpectedText(
            "a project number",
            rule: .invalidName,
            help: "write the digits of the sender ID"
        ),
        schema: .text(
            TextForm(pattern: "[1-9][0-9]{0,19}", lookalikes: .integers(1...Int64.max))
        ),
        parse: { isNumber($0) ? $0 : nil }
    )

    private static func isNumber(_ text: String) -> Bool {
        (1...20).contains(text.utf8.count) && text.first != "0"
            && text.utf8.allSatisfy(\.isASCIIDigit)
    }

    /// Google Cloud documentation, Creating and managing projects.
    private static func isProjectID(_ text: String) -> Bool {
        if isNumber(text) { return true }
        let bytes = Array(text.utf8)
        let areAllowed = bytes.allSatisfy {
            isLetter($0) || $0.isASCIIDigit || $0 == 0x2D
        }
        guard (6...30).contains(bytes.count), areAllowed, let first = bytes.first else {
            return false
        }
        return isLetter(first) && bytes.last != UInt8(ascii: "-")
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }
}

extension ValueReader where Value == String {
    /// Scheme, host and port.
    ///
    /// Addresses without TLS must be on this machine, because requests contain an access token.
    static let serverAddress = ValueReader.scalar(
        ExpectedText(
            "the address of a server",
            rule: .invalidURL,
            help:
                "write it as `https://HOST` or `https://HOST:PORT`; only this machine may be used "
                + "without TLS"
        ),
        schema: .text(
            TextForm(
                pattern: "(https://(\\[[0-9A-Fa-f:]*:[0-9A-Fa-f:]*\\]"
                    + "|[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?)"
                    + "|http://(127\\.0\\.0\\.1|[Ll][Oo][Cc][Aa][Ll][Hh][Oo][Ss][Tt]|\\[::1\\]))"
                    + "(:([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}"
                    + "|655[0-2][0-9]|6553[0-5]))?/?"
            )
        ),
        parse: { text in
            ServerAddress(of: text).flatMap { address in
                address.isPrivate && ["", "/"].contains(address.rest) ? address.base : nil
            }
        }
    )
}

extension ValueReader where Value == DatabaseAddress {
    /// The value may contain a password and is not repeated.
    static let databaseAddress = ValueReader(
        .text(TextForm(pattern: "postgres(ql)?://.+"))
    ) { node, log in
        guard let scalar = node.requireScalar("a PostgreSQL address", reportingTo: &log) else {
            return nil
        }
        if let address = DatabaseAddress(scalar.text) { return address }
        log.report(
            Diagnostic(
                rule: .invalidURL,
                message: "this is not a PostgreSQL address",
                span: node.span,
                label: "should be `postgresql://HOST/DATABASE`",
                help: ["write `${NAME}` to keep a password out of the file"]
            )
        )
        return nil
    }
}

extension ValueReader where Value == FCMAccount.Credentials {
    /// Refuses text in the form of a key without repeating it.
    static let credentials = ValueReader(
        .text(
            TextForm(
                pattern: "application-default|env:[A-Za-z_][A-Za-z0-9_]*"
                    + "|(?!env:|AIza|\\{)(?!.*PRIVATE KEY).+",
                lookalikes: .everything
            )
        )
    ) { node, log in
        guard let scalar = node.requireScalar("a source of credentials", reportingTo: &log) else {
            return nil
        }
        let text = scalar.text
        if text == scalar.written, isKnownCredential(text) { return nil }
        if text.hasPrefix("AIza") || text.contains("PRIVATE KEY") || text.hasPrefix("{") {
            log.report(.credentialInFile(at: node.span))
            return nil
        }
        if text == "application-default" { return .applicationDefault }
        guard text.hasPrefix("env:") else {
            if !text.isEmpty { return .file(path: text) }
            log.report(.credentialReference(scalar.written, at: node.span))
            return nil
        }
        guard EnvironmentVariables.isName(text.dropFirst(4)) else {
            log.report(.credentialReference(scalar.written, at: node.span))
            return nil
        }
        return .variable(name: String(text.dropFirst(4)))
    }

    /// Whether the credential is recognized anywhere in a file.
    private static func isKnownCredential(_ text: String) -> Bool {
        SecretText.kinds(in: text).contains { $0.credentialName != nil }
    }
}

extension ValueReader where Value == StateKeyReference {
    /// Refuses a key given in place of its reference, without repeating it.
    static let keyReference = ValueReader(
        .text(
            TextForm(
                pattern: "env:[A-Za-z_][A-Za-z0-9_]*|command:.*[^ ].*|"
                    + "(?!env:|command:|[0-9A-Fa-f]{64}$|[A-Za-z0-9+/]{43}=$).+",
                lookalikes: .everything
            )
        )
    ) { node, log in
        guard let scalar = node.requireScalar("a source of a key", reportingTo: &log) else {
            return nil
        }
        if isKey(Array(scalar.text.utf8)) {
            log.report(.credentialInFile(at: node.span))
            return nil
        }
        guard let reference = reference(scalar.text) else {
            log.report(.keyReference(scalar.written, at: node.span))
            return nil
        }
        return reference
    }

    private static func reference(_ text: String) -> StateKeyReference? {
        if text.hasPrefix("env:") {
            let name = text.dropFirst(4)
            return EnvironmentVariables.isName(name) ? .variable(name: String(name)) : nil
        }
        if text.hasPrefix("command:") {
            let command = text.dropFirst(8)
            return command.contains { $0 != " " } ? .command(String(command)) : nil
        }
        return text.isEmpty ? nil : .file(path: text)
    }

    /// Whether the text is 64 hexadecimal digits or the base64 of 32 bytes.
    private static func isKey(_ text: [UInt8]) -> Bool {
        switch text.count {
        case 64: text.allSatisfy(\.isASCIIHexDigit)
        case 44: text.last == UInt8(ascii: "=") && text.dropLast().allSatisfy(isBase64)
        default: false
        }
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || byte == 0x2B || byte == 0x2F
    }
}

extension ValueReader where Value == RuleID {
    static let ruleID = ValueReader(
        .text(TextForm(pattern: RuleID.allCases.map(\.rawValue).joined(separator: "|")))
    ) { node, log in
        guard let scalar = node.requireScalar("a rule's name", reportingTo: &log) else {
            return nil
        }
        guard let rule = RuleID(rawValue: scalar.text) else {
            log.report(.unknownRule(scalar.text, at: node.span))
            return nil
        }
        return rule
    }
}

extension Diagnostic {
    static func unknownRule(_ name: String, at span: SourceSpan) -> Diagnostic {
        let near = SpellingSuggestion.nearest(to: name, among: RuleID.allCases.map(\.rawValue))
        return Diagnostic(
            rule: .unknownRule,
            message: "there is no rule `\(name)`",
            span: span,
            label: "unknown rule",
            help: [near.map { "did you mean `\($0)`?" } ?? "findings show their rule in brackets"],
            fix: near.map { Fix(span: span, replacement: $0) }
        )
    }

    fileprivate static func credentialInFile(at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .credentialInFile,
            message: "this is a key, not the source of a key",
            span: span,
            label: "anyone who can read the project can use it",
            help: ["remove it, rotate the key, and write `env:NAME` or the path of a file"]
        )
    }

    fileprivate static func credentialReference(
        _ text: String,
        at span: SourceSpan
    ) -> Diagnostic {
        .unacceptable(
            text,
            expected: ExpectedText(
                "a source of credentials",
                rule: .invalidName,
                help: "write `application-default`, `env:NAME`, or the path of a key file"
            ),
            at: span
        )
    }

    fileprivate static func keyReference(_ text: String, at span: SourceSpan) -> Diagnostic {
        .unacceptable(
            text,
            expected: ExpectedText(
                "a source of a key",
                rule: .invalidName,
                help:
                    "write `env:NAME`, the path of a file, or `command:` and a command that prints it"
            ),
            at: span
        )
    }
}

extension ValueReader where Value == Int64 {
    /// Seconds between a join and a send to the same topic.
    static let settle = ValueReader(duration.schema) { node, log in
        guard let seconds = duration.read(node, &log) else { return nil }
        guard EnvironmentSettings.settleRange.contains(seconds) else {
            log.report(.settleOutOfRange(node.scalar?.written ?? "", at: node.span))
            return nil
        }
        return seconds
    }

    /// Seconds for which single outcomes are kept.
    static let retention = ValueReader(duration.schema) { node, log in
        guard let seconds = duration.read(node, &log) else { return nil }
        guard seconds >= StateLocation.shortestRetention else {
            log.report(.retentionOutOfRange(node.scalar?.written ?? "", at: node.span))
            return nil
        }
        return seconds
    }
}

extension Diagnostic {
    fileprivate static func retentionOutOfRange(
        _ text: String,
        at span: SourceSpan
    ) -> Diagnostic {
        Diagnostic(
            rule: .numberOutOfRange,
            message: "a retention of \(text) is out of range",
            span: span,
            label: "should be at least one day",
            help: ["write `1d` or more"]
        )
    }

    fileprivate static func settleOutOfRange(_ text: String, at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .numberOutOfRange,
            message: "a delay of \(text) is out of range",
            span: span,
            label: "should be from 0 to 1h",
            help: ["write `1h` or less"]
        )
    }
}

extension ValueReader where Value == QuietHoursDeclaration {
    static let quietHours = ValueReader(
        .mapping(QuietHoursDeclaration.reader.schema)
    ) { node, log in
        var hours = QuietHoursDeclaration()
        guard QuietHoursDeclaration.reader.read(node, into: &hours, reportingTo: &log) else {
            return nil
        }
        if let from = hours.from, let to = hours.to, from.value == to.value {
            log.report(.emptyQuietHours(from: from.span, to: to.span))
            return nil
        }
        return hours
    }
}

extension Diagnostic {
    fileprivate static func emptyQuietHours(from: SourceSpan, to: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .scheduleBounds,
            message: "quiet hours begin and end at the same time",
            span: to,
            label: "the end",
            related: [RelatedPlace(span: from, message: "the start")],
            help: ["write another time, or remove `quiet_hours`"]
        )
    }
}
