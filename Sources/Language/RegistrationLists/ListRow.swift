import CampaignModel
import Text

/// One row of a list.
struct ListRow {
    let registration: Registration
    /// The person of the registration; nil if the list has no identity column.
    let identity: String?
    /// The row's first line, counted from 1; for an inline list, the number of the registration.
    let line: Int
    /// The row's values in the other requested columns, in the requested order.
    var values: [String] = []
}

/// Streams the rows of a list; memory use does not depend on its length.
protocol ListRows: ~Copyable {
    /// The names of the columns seen; nil if there are none, or too many.
    var columns: Set<String>? { get }

    /// Returns the next row, or what is wrong with it; nil at the end.
    mutating func next() throws(RegistrationListError) -> ListEntry?
}

enum ListEntry {
    case row(ListRow)
    case broken(RegistrationListError.BrokenLine)

    /// Adds the row's values in other columns.
    func with(_ values: [String]) -> ListEntry {
        guard !values.isEmpty, case .row(var row) = self else { return self }
        row.values = values
        return .row(row)
    }

    static func broken(_ line: Int, reason: String) -> ListEntry {
        .broken(RegistrationListError.BrokenLine(number: line, reason: reason))
    }
}

/// The columns by which rows are read.
struct ListColumns {
    let registration: String
    let identity: String?

    init(of file: RegistrationFile) {
        registration = file.column ?? "registration"
        identity = file.identity
    }

    enum Value {
        /// Empty if the row has no value.
        case text(String)
        case repeated
        /// A value such as `true`, `1.5` or a list, whose spelling is ambiguous.
        case foreign
    }

    /// Returns the row with these values, or what is wrong with them.
    ///
    /// `identity` is nil exactly if no identity column is named.
    func entry(_ registration: Value, identity: Value?, line: Int) -> ListEntry {
        if let fault = fault(of: registration, named: self.registration) {
            return .broken(line, reason: fault)
        }
        if let identity, let name = self.identity, let fault = fault(of: identity, named: name) {
            return .broken(line, reason: fault)
        }
        guard case .text(let token) = registration, let registration = Registration(token) else {
            return .broken(line, reason: RegistrationListError.BrokenLine.noRegistration)
        }
        return .row(ListRow(registration: registration, identity: identity?.text, line: line))
    }

    private func fault(of value: Value, named name: String) -> String? {
        switch value {
        case .text(let text): text.isEmpty ? "it has no `\(name)`" : nil
        case .repeated: "it has `\(name)` twice"
        case .foreign: "its `\(name)` is neither text nor a whole number"
        }
    }
}

extension ListColumns.Value {
    fileprivate var text: String? {
        if case .text(let text) = self { text } else { nil }
    }
}

extension RegistrationListError.BrokenLine {
    static let noRegistration = "a registration has no white space, quotes or commas"
}

extension RegistrationListError {
    /// Reports a column that the file's header does not contain.
    ///
    /// The existing names are not repeated, because they may be registrations.
    static func missingColumn(
        _ name: String,
        among names: [String],
        path: String,
        line: Int
    ) -> RegistrationListError {
        let only = names.count == 1 ? names.first : nil
        return .missingColumn(
            MissingColumn(
                name: name,
                path: path,
                line: line,
                nearest: SpellingSuggestion.key(name, among: names),
                separator: only.flatMap { only in [";", "\t", "|"].first { only.contains($0) } }
            )
        )
    }
}
