import CampaignModel
package import Experiments
import RegistrationLists

/// Renders what an import of outcomes found.
package struct OutcomeImportTextView: Sendable {
    private let style: TextStyle
    private let hint: CommandHint

    package init(style: TextStyle, hint: CommandHint = .local) {
        self.style = style
        self.hint = hint
    }

    /// `name`: the source as the command line names it.
    package func render(_ report: OutcomeImportReport, of name: String) -> String {
        var lines = [head(report, of: TextStyle.safe(name))]
        for (campaign, count) in report.stored.sorted(by: { $0.key.rawValue < $1.key.rawValue })
        where count > 0 {
            lines.append("  \(campaign): \(count.counting("outcome"))")
        }
        if report.unknown > 0 {
            let numbers = report.unknownLines.map(String.init).joined(separator: ", ")
            let more = report.unknown > report.unknownLines.count ? " and others" : ""
            lines.append(
                "  \(report.unknown.counting("row")) about subjects of no experiment, in lines "
                    + "\(numbers)\(more)"
            )
        }
        if report.unknown > 0, report.storedCount + report.repeated + report.refused == 0 {
            lines.append(
                "No row is about a subject of an experiment. Check that `identity` has the values of "
                    + "the list's identity column, or use `fingerprint` or `registration`."
            )
        }
        if report.refused > 0 {
            lines.append(style.paint("  \(report.refused.counting("row")) refused:", in: .bad))
            lines += report.faults.map { "    line \($0.line): \($0.wording)" }
            let rest = report.refused - report.faults.count
            if rest > 0 { lines.append("    and \(rest.counting("other row"))") }
        }
        if report.storedCount > 0 { lines.append("Show the results with `\(hint("results"))`.") }
        return style.folded(lines.joined(separator: "\n") + "\n")
    }

    private func head(_ report: OutcomeImportReport, of name: String) -> String {
        let rows = "\(name): \(report.rows.counting("row"))"
        guard report.storedCount == 0, report.repeated > 0 else {
            let earlier =
                report.repeated > 0 ? ", \(report.repeated.grouped) were stored before" : ""
            return "\(rows), \(report.storedCount.counting("new outcome")) stored\(earlier)."
        }
        return "\(rows), nothing new: \(report.repeated.counting("outcome")) "
            + "\(report.repeated == 1 ? "was" : "were") stored before."
    }
}

extension OutcomeFault {
    fileprivate var wording: String {
        switch reason {
        case .broken(let text): text
        case .noSubject: "it identifies no person"
        case .severalSubjects(let columns):
            "it has values in several columns that identify a person: "
                + columns.joined(separator: ", ") + "; leave all but one of them empty"
        case .noTime(let column): "its `\(column)` is no RFC 3339 timestamp"
        case .noNumber(let column): "its `\(column)` is no number"
        case .noFingerprint: "its `fingerprint` does not have 16 hexadecimal digits"
        case .noRegistration(let column): "its `\(column)` is no registration"
        case .longName(let column): "its `\(column)` has more than 100 bytes"
        case .beforeSend:
            "it happened before the first send to this person; check its time zone"
        }
    }
}
