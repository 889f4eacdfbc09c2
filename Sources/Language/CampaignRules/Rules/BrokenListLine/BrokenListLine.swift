import CampaignLoading
import CampaignModel
import Diagnostics
import RegistrationLists

extension Diagnostic {
    static func brokenListLine(
        _ lines: [RegistrationListError.BrokenLine],
        in path: String,
        count: Int,
        reference: Spanned<ListReference>
    ) -> Diagnostic {
        let format = reference.value.list.format
        let first = lines.first
        let more = count - lines.count
        let moreLines = more == 1 ? "1 more line has" : "\(more) more lines have"
        return Diagnostic(
            rule: .brokenListLine,
            message: "\(path):\(first?.number ?? 0) \(format.verdict): \(first?.reason ?? "")",
            span: reference.span,
            label: "in this list",
            help: lines.dropFirst().map { "line \($0.number) \(format.verdict): \($0.reason)" }
                + (more > 0 ? ["\(moreLines) errors"] : []) + [format.help]
        )
    }
}

extension RegistrationFile.Format {
    fileprivate var verdict: String {
        self == .text ? "is not a registration" : "is invalid"
    }

    fileprivate var help: String {
        switch self {
        case .text: "write one registration per line; `#` begins a comment"
        case .csv:
            "quote fields that contain a comma, a quotation mark or a line break, and double the "
                + "quotation marks in them"
        case .ndjson: "write one JSON object per line"
        }
    }
}
