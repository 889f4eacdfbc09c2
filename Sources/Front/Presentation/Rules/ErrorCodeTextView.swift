/// Renders the explanation of an FCM error code as text.
package struct ErrorCodeTextView: Sendable {
    private let style: TextStyle

    package init(style: TextStyle) {
        self.style = style
    }

    package func render(_ code: ErrorCodeWording) -> String {
        let retried = code.isRetried ? "retried by Herald" : "not retried by Herald"
        let lines = [code.meaning, code.advice].flatMap { $0.wrapped(to: style.width.prose - 4) }
        return "\(style.paint(code.code, in: .strong))  \(code.place), \(retried)\n"
            + lines.map { "  \($0)\n" }.joined()
    }
}
