package import Experiments
import HTML

/// The results of experiments as an HTML page, with a chart of each interval over time.
package struct ResultHTMLView: Sendable {
    private let hint: CommandHint

    package init(hint: CommandHint = .local) {
        self.hint = hint
    }

    package func render(_ results: [ExperimentResult]) -> String {
        HTMLDocument(title: "Herald results", styles: ResultPageStyle.sheets) {
            HTMLNode(.header) { HTMLNode(.h1, text: "Results") }
            HTMLNode(.main) {
                if results.isEmpty {
                    HTMLNode(.p, text: ResultTextView.nothing)
                } else {
                    results.map { section(ResultDescription($0, hint: hint)) }
                }
            }
        }.markup
    }

    private func section(_ description: ResultDescription) -> HTMLNode {
        HTMLNode(.section) {
            HTMLNode(.h2, text: description.title)
            HTMLNode(.p, .class("quiet"), text: "\(description.sent) \(description.terms)")
            answers(description.answers)
            comparisons(description)
            table(description)
            HTMLNode(.ul, .class("notes")) {
                description.notes.map { HTMLNode(.li, text: $0) }
            }
        }
    }

    private func answers(_ answers: [ResultDescription.Answer]) -> HTMLNode {
        HTMLNode(.dl, .class("facts")) {
            answers.flatMap { answer in
                [HTMLNode(.dt, text: answer.question), HTMLNode(.dd, text: answer.text)]
            }
        }
    }

    /// The details of each comparison, if there are several, and its chart.
    private func comparisons(_ description: ResultDescription) -> [HTMLNode] {
        description.result.compared.enumerated().flatMap { number, compared -> [HTMLNode] in
            var nodes: [HTMLNode] = []
            if description.details.indices.contains(number) {
                let detail = description.details[number]
                nodes = [HTMLNode(.h3, text: detail.title), answers(detail.answers)]
            }
            if let chart = ResultChart(of: compared, in: description.result).node {
                nodes.append(chart)
            }
            return nodes
        }
    }

    private func table(_ description: ResultDescription) -> HTMLNode {
        HTMLNode(.div, .class("scrolling")) {
            HTMLNode(.table) {
                HTMLNode(.caption, text: description.caption)
                HTMLNode(.thead) {
                    HTMLNode(.tr) {
                        description.columns.map { HTMLNode(.th, .scope(.column), text: $0) }
                    }
                }
                HTMLNode(.tbody) {
                    description.rows.map { row in
                        HTMLNode(.tr) {
                            HTMLNode(.th, .scope(.row), text: row.first ?? "")
                            row.dropFirst().map { HTMLNode(.td, text: $0) }
                        }
                    }
                }
            }
        }
    }
}

/// The style sheets of the page of results.
enum ResultPageStyle {
    static let sheets: [StaticString] = [PageStyle.colours, PageStyle.page, chart]

    private static let chart: StaticString = """
        .chart { background: var(--card); border: 1px solid var(--line); border-radius: .4rem;
          padding: .6rem; margin: 1rem 0; max-width: 46rem; }
        .chart svg { display: block; width: 100%; height: auto; }
        .chart text { fill: var(--quiet); font: 12px system-ui, sans-serif; }
        .band { fill: var(--added); } .zero { stroke: var(--ink); stroke-dasharray: 4 3; }
        .estimate { fill: none; stroke: var(--add); stroke-width: 2; }
        .dot { fill: var(--add); }
        .notes { color: var(--quiet); margin-top: .8rem; }
        h3 { margin: 2rem 0 .6rem; }
        """
}
