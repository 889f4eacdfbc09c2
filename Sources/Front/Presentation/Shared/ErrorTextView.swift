/// Renders an error and its advice, which end a command.
package struct ErrorTextView: Sendable {
    private let style: TextStyle

    package init(style: TextStyle) {
        self.style = style
    }

    package func render(_ error: ErrorText) -> String {
        let help = error.help.map { block("help", .good, $0) } ?? ""
        return block("error", .bad, error.message) + help
    }

    private func block(_ label: String, _ tone: TextStyle.Tone, _ text: String) -> String {
        style.foldedMessage("\(style.paint(label, tone)): \(text)\n", hanging: label.count + 2)
    }
}
