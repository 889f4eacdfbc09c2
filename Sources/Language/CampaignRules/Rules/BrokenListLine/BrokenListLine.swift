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
            message: first.map { "\(path):\($0.number) \($0.text(in: format))" } ?? path,
            span: reference.span,
            label: "in this list",
            help: lines.dropFirst().map { line in
                let place = line.path.map { "\($0):\(line.number)" } ?? "line \(line.number)"
                return "\(place) \(line.text(in: format))"
            } + (more > 0 ? ["\(moreLines) errors"] : []) + [format.help]
        )
    }
}

extension RegistrationListError.BrokenLine {
    /// What is wrong with it, and where.
    fileprivate func text(in format: RegistrationFile.Format) -> String {
        "\(format.verdict): \(reason) (\(place))"
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
