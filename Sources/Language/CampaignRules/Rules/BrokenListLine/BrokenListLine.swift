import CampaignLoading
import CampaignModel
import Diagnostics
import RegistrationLists

extension Diagnostic {
    static func brokenListLine(
        _ lines: [RegistrationListError.BrokenLine],
        in path: String,
        count: Int,
        _ reference: Spanned<ListReference>
    ) -> Diagnostic {
        let format = reference.value.list.format
        let first = lines.first
        let more = count - lines.count
        let again = format == .text ? "so is" : "nor can"
        let all = format == .text && more > 1 ? "so are" : again
        return Diagnostic(
            rule: .brokenListLine,
            message: "\(path):\(first?.number ?? 0) \(format.verdict): \(first?.reason ?? "")",
            span: reference.span,
            label: "in this list",
            help: lines.dropFirst().map { "\(again) line \($0.number): \($0.reason)" }
                + (more > 0 ? ["\(all) \(more) more"] : []) + [format.help]
        )
    }
}

extension RegistrationFile.Format {
    fileprivate var verdict: String {
        self == .text ? "is no registration" : "can't be used"
    }

    fileprivate var help: String {
        switch self {
        case .text: "a list has one registration a line; `#` begins a comment"
        case .csv:
            "a field that has a comma, a quotation mark or a line break stands in quotation "
                + "marks, and a quotation mark in it is written twice"
        case .ndjson: "each line is one JSON object"
        }
    }
}
