import Applying
import CampaignModel
import Planning
import RegistrationLists

/// Describes why a send was not made after its list was read.
struct RefusedSendWording {
    /// What is wrong, and where.
    let reason: String
    /// How to fix it; nil if the reason says it.
    let help: String?

    /// Names of files and columns are safe for a terminal.
    init(_ refused: RefusedSend) {
        let list = refused.list.map(TextStyle.safe) ?? "the list"
        func place(_ path: String?, _ line: Int) -> String {
            "\(path.map(TextStyle.safe) ?? list):\(line)"
        }
        switch refused.reason {
        case .unreadable(.list(let error)):
            let text = ErrorText(error)
            (reason, help) = (text.message, text.help)
        case .unreadable(.source(_, let reason)): (self.reason, help) = (reason, nil)
        case .unreadable(.interrupted): (reason, help) = ("interrupted", nil)
        case .missingColumn(let name):
            reason = "\(list) has no column `\(TextStyle.safe(name))`"
            help = "add the column to the list, or write the text itself"
        case .missingValues(let values):
            let rows = values.count == 1 ? "1 row has" : "\(values.count.grouped) rows have"
            let column = TextStyle.safe(values.column)
            reason = "\(rows) no `\(column)`, the first at \(place(values.path, values.line))"
            help =
                "fill the column, or add `columns: { \(column): { default: TEXT } }` to the audience"
        case .uncoveredLocale(let rows, let count):
            let locale = rows.locale.map { "the locale `\(TextStyle.safe($0))`" }
            reason =
                "no text covers \(locale ?? "rows without a locale"), the first at "
                + "\(place(rows.path, rows.line)) (\(count.counting("row")) in all)"
            help = "add a key to `locales`, or `\"*\": {}` for the campaign's own text"
        case .tooLarge(let longest):
            reason =
                "the message has \(longest.bytes.grouped) bytes for \(longest.platform.displayName) "
                + "in the row at \(place(longest.path, longest.line)), which is too large"
            help = "shorten the text or the values of the list"
        case .guards(let outcomes):
            let refusals = outcomes.filter { $0.refusal != nil }
            let texts = refusals.map { GuardWording($0) }
            reason = zip(refusals, texts).map { "\($0.guard.rawValue): \($1.reason)" }
                .joined(separator: "; ")
            help = zip(refusals, texts)
                .map { "\(TextStyle.safe($1.wayOut)) (override: \($0.guard.option))" }
                .joined(separator: "; ")
        }
    }
}
