import CampaignModel
import Envelopes
import Text

/// One row of a list.
struct ListRow {
    let registration: Registration
    /// The person of the registration; nil if the list has no identity column.
    var identity: String?
    /// The row's first line, counted from 1; for an inline list, the number of the registration.
    let line: Int
    /// The recipient's time zone, empty if the row has none; nil if the list does not name the
    /// column.
    var timeZone: ListValue?
    /// The recipient's locale, empty if the row has none; nil if no column of locales is read.
    var locale: String?
    /// The recipient's public key, which is valid, or empty if the row has none; nil if the list does
    /// not name the column.
    var publicKey: String?
    /// The row's values in the other requested columns, in the requested order.
    var values: [String] = []
    /// In a set, the path of the row's file; the name of a list in the YAML.
    var path: String?
    /// In a set, the number of its part that has the row; a set in a set counts as one part.
    var part: Int?
}

/// Streams the rows of a list; memory use does not depend on its length.
protocol ListRows: ~Copyable {
    /// The names of the columns seen; nil if there are none, or too many.
    var columns: Set<String>? { get }

    /// Returns the next row, or what is wrong with it; nil at the end.
    mutating func next() throws(RegistrationListError) -> ListEntry?

    /// The columns of a list of two files with these columns.
    static func joinedColumns(_ columns: Set<String>, _ others: Set<String>) -> Set<String>
}

extension ListRows where Self: ~Copyable {
    static func joinedColumns(_ columns: Set<String>, _ others: Set<String>) -> Set<String> {
        columns.union(others)
    }
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
}

/// A value in a column, and its place in the file.
struct ListValue {
    enum Content {
        /// Empty if the row has no value.
        case text(String)
        /// A number such as `1.0` or `1e3`, which other programs spell differently.
        case respellable
        /// A value such as `true` or a list.
        case foreign
    }

    let content: Content
    /// From 1.
    let line: Int
    /// From 1.
    let byte: Int

    var text: String? {
        if case .text(let text) = content { text } else { nil }
    }
}

/// The columns by which rows are read.
struct ListColumns {
    let registration: String
    let identity: String?
    let timeZone: String?
    /// The column of the locales, if the list names it or a message chooses its text by it.
    let locale: String?
    /// The column of a number from before an experiment.
    let covariate: String?
    /// The column of the keys with which messages are encrypted.
    let publicKey: String?
    /// The columns of the list's description in which a row may have no value.
    let optional: [String]
    private var knownLocales = KnownLocales()

    init(of file: RegistrationFile, others: OtherColumns) {
        registration = file.column ?? "registration"
        identity = file.identity
        timeZone = file.timeZone
        locale = file.locale ?? (others.readsLocales ? RegistrationList.standardLocaleColumn : nil)
        covariate = file.covariate
        publicKey = file.publicKey
        optional = [file.timeZone, file.locale, file.publicKey, file.covariate].compactMap(\.self)
    }

    /// The columns in which each row must have a value.
    var required: [String] { [registration] + [identity].compactMap(\.self) }

    func contains(_ name: String) -> Bool {
        required.contains(name) || optional.contains(name) || name == locale
    }

    /// The values of a row in these columns.
    ///
    /// nil if the column is not named, or if the file does not have a column of locales.
    struct Values {
        let registration: ListValue
        let identity: ListValue?
        let timeZone: ListValue?
        let locale: ListValue?
        let covariate: ListValue?
        let publicKey: ListValue?
    }

    /// Returns the row with these values, or what is wrong with them.
    mutating func entry(_ values: Values, line: Int) -> ListEntry {
        if let fault = fault(in: values) { return .broken(fault) }
        let token = values.registration.text ?? ""
        guard let valid = Registration(token) else {
            let reason = RegistrationListError.BrokenLine.reason(notRegistration: token)
            return .broken(broken(values.registration, named: registration, reason: reason))
        }
        return .row(
            ListRow(
                registration: valid,
                identity: values.identity?.text,
                line: line,
                timeZone: values.timeZone,
                locale: values.locale.map { $0.text ?? "" },
                publicKey: values.publicKey.map { $0.text ?? "" }
            )
        )
    }

    /// A row may have no time zone, no locale and no public key.
    private mutating func fault(in values: Values) -> RegistrationListError.BrokenLine? {
        if let fault = fault(of: values.registration, named: registration) { return fault }
        if let value = values.identity, let name = identity,
            let fault = fault(of: value, named: name)
        {
            return fault
        }
        if let value = values.locale, let name = locale,
            let fault = fault(ofLocale: value, named: name)
        {
            return fault
        }
        if let value = values.covariate, let name = covariate,
            let fault = fault(ofNumber: value, named: name)
        {
            return fault
        }
        if let value = values.publicKey, let name = publicKey,
            let fault = fault(ofKey: value, named: name)
        {
            return fault
        }
        guard let value = values.timeZone, let name = timeZone, value.text?.isEmpty != true else {
            return nil
        }
        return fault(of: value, named: name)
    }

    private mutating func fault(
        ofLocale value: ListValue,
        named name: String
    ) -> RegistrationListError.BrokenLine? {
        guard let text = value.text else { return fault(of: value, named: name) }
        guard !text.isEmpty, !knownLocales.accept(text) else { return nil }
        return broken(
            value,
            named: name,
            reason: RegistrationListError.BrokenLine.reason(notLocale: text, named: name)
        )
    }

    /// A row may have no number.
    private func fault(
        ofNumber value: ListValue,
        named name: String
    ) -> RegistrationListError.BrokenLine? {
        switch value.content {
        case .respellable: return nil
        case .text(let text) where text.isEmpty || CovariateText.number(text) != nil: return nil
        case .text, .foreign:
            return broken(value, named: name, reason: "its `\(name)` is not a number")
        }
    }

    private func fault(
        ofKey value: ListValue,
        named name: String
    ) -> RegistrationListError.BrokenLine? {
        guard let text = value.text else { return fault(of: value, named: name) }
        guard !text.isEmpty else { return nil }
        do throws(EnvelopeKey.Fault) {
            _ = try EnvelopeKey(parsing: text)
            return nil
        } catch {
            return broken(
                value,
                named: name,
                reason: RegistrationListError.BrokenLine.reason(notKey: error, named: name)
            )
        }
    }

    private func fault(
        of value: ListValue,
        named name: String
    ) -> RegistrationListError.BrokenLine? {
        switch value.content {
        case .text(let text):
            text.isEmpty ? broken(value, named: name, reason: "it has no `\(name)`") : nil
        case .respellable:
            broken(
                value,
                named: name,
                reason: "its `\(name)` is a number that can be spelt in several ways; put it in "
                    + "quotation marks"
            )
        case .foreign:
            broken(
                value,
                named: name,
                reason: "its `\(name)` is neither text nor a whole number"
            )
        }
    }

    func broken(
        _ value: ListValue,
        named name: String,
        reason: String
    ) -> RegistrationListError.BrokenLine {
        RegistrationListError.BrokenLine(
            number: value.line,
            column: .name(name),
            byte: value.byte,
            reason: reason
        )
    }
}

/// The well-formed locales of a list that were seen so far, because few are repeated often.
private struct KnownLocales {
    private static let maximumCount = 1_000
    private var texts: Set<String> = []

    /// Whether a text is a well-formed locale.
    mutating func accept(_ text: String) -> Bool {
        if texts.contains(text) { return true }
        guard Locale(text) != nil else { return false }
        if texts.count < Self.maximumCount { texts.insert(text) }
        return true
    }
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
