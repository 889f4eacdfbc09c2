package import Experiments

/// Renders the results of experiments as text.
package struct ResultTextView: Sendable {
    private let style: TextStyle
    private let hint: CommandHint

    package init(style: TextStyle, hint: CommandHint = .local) {
        self.style = style
        self.hint = hint
    }

    package static let nothing =
        "No experiment was sent yet. Give a campaign `variants` or a `holdout`, and apply it.\n"

    package func render(_ results: [ExperimentResult]) -> String {
        guard !results.isEmpty else { return Self.nothing }
        return results.map { style.folded(render(ResultDescription($0, hint: hint))) }
            .joined(separator: "\n")
    }

    private func render(_ description: ResultDescription) -> String {
        var lines = [
            style.paint(TextStyle.safe(description.title), in: .strong),
            "  " + TextStyle.safe(description.sent), "  " + description.terms, "",
        ]
        lines += answers(description.answers)
        for detail in description.details {
            lines += ["", "  " + style.paint(detail.title, in: .strong)]
            lines += answers(detail.answers)
        }
        lines += ["", "  " + description.caption + ":"] + table(description) + [""]
        lines += description.notes.map { "  " + $0 }
        return lines.joined(separator: "\n") + "\n"
    }

    private func answers(_ answers: [ResultDescription.Answer]) -> [String] {
        let width = answers.map(\.question.count).max() ?? 0
        return answers.map { "  \($0.question.padded(to: width))  \($0.text)" }
    }

    private func table(_ description: ResultDescription) -> [String] {
        let rows = [description.columns] + description.rows
        let widths = description.columns.indices.map { column in
            rows.map { $0[column].count }.max() ?? 0
        }
        return rows.map { row in
            var line = "  "
            for (cell, width) in zip(row, widths) { line += cell.padded(to: width) + "  " }
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
