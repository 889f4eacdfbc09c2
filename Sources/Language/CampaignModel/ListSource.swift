package typealias ListSourceID = Identifier<ListSource>

/// A program or a query whose output is a list, as `sources` in herald.yaml declares it.
///
/// It runs only with the operator's consent.
package struct ListSource: Hashable, Sendable {
    package enum Origin: Hashable, Sendable {
        case command(SourceCommand)
        case query(SourceQuery)
    }

    package let id: ListSourceID
    package let origin: Origin
    package let format: RegistrationFile.Format
    /// In seconds.
    package let timeout: Int64
    /// How much the number of rows may differ between review and apply.
    package let maximumDrift: Percentage

    package init(
        id: ListSourceID,
        origin: Origin,
        format: RegistrationFile.Format,
        timeout: Int64 = ListSource.standardTimeout,
        maximumDrift: Percentage = .none
    ) {
        self.id = id
        self.origin = origin
        self.format = format
        self.timeout = timeout
        self.maximumDrift = maximumDrift
    }

    package static let standardTimeout: Int64 = 60
    package static let timeoutRange: ClosedRange<Int64> = 1...3_600
}

/// A program that runs without a shell, in the project's directory.
package struct SourceCommand: Hashable, Sendable {
    /// The program and its arguments; not empty.
    package let arguments: [String]
    /// The environment variables that it gets besides the usual ones.
    package let variables: [String]

    package init(arguments: [String], variables: [String] = []) {
        self.arguments = arguments
        self.variables = variables
    }

    package var program: String { arguments[0] }
}

/// A query that a PostgreSQL server runs in a read-only transaction.
package struct SourceQuery: Hashable, Sendable {
    /// The environment variable that contains the connection string.
    package let variable: String
    package let text: String

    package init(variable: String, text: String) {
        self.variable = variable
        self.text = text
    }
}

extension RegistrationFile {
    /// The name of a source's output in messages.
    package static func path(of source: ListSourceID) -> String { "source \(source)" }
}

extension RegistrationList {
    /// The source whose output is the list; nil if it is in a file or in the YAML.
    package var source: ListSourceID? {
        if case .described(let file) = self { file.source } else { nil }
    }

    /// The sources whose outputs the list consists of.
    package var sources: [ListSourceID] {
        switch self {
        case .file, .inline: []
        case .described(let file): file.source.map { [$0] } ?? []
        }
    }
}
