/// Renders an error and its advice, which end a command.
package struct ErrorTextView: Sendable {
    private let style: TextStyle

    package init(style: TextStyle) {
        self.style = style
    }

    package func render(_ error: ErrorText) -> String {
        let help = error.help.map { block("help", in: .good, text: $0) } ?? ""
        return block("error", in: .bad, text: error.message) + help
    }

    private func block(_ label: String, in tone: TextStyle.Tone, text: String) -> String {
        style.foldedMessage("\(style.paint(label, in: tone)): \(text)\n", hanging: label.count + 2)
    }
}
