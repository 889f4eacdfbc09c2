/// A page in a single file that loads no resources and runs no script but its own.
package struct HTMLDocument: Sendable {
    /// Forbids loading, other scripts and forms; styles are in the page itself (Content Security
    /// Policy Level 3).
    private var policy: String {
        let scripts = script.map { " script-src \($0.policySource);" } ?? ""
        return "default-src 'none'; style-src 'unsafe-inline';\(scripts) base-uri 'none'; "
            + "form-action 'none'"
    }

    private let title: String
    private let styles: [StaticString]
    private let script: HTMLScript?
    private let body: [HTMLNode]

    /// `styles` are constants of the program; they cannot contain untrusted text.
    package init(
        title: String,
        styles: [StaticString],
        script: HTMLScript? = nil,
        @HTMLBuilder body: () -> [HTMLNode]
    ) {
        self.title = title
        self.styles = styles
        self.script = script
        self.body = body()
    }

    package var markup: String {
        var text = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(HTMLNode.escaped(policy))">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="referrer" content="no-referrer">
            <title>\(HTMLNode.escaped(title))</title>
            <style>
            \(styles.map(\.description).joined(separator: "\n"))
            </style>
            </head>
            <body>

            """
        for node in body { node.write(to: &text) }
        // At the end, when the elements that it reads exist.
        if let script { text += "<script>\(script.source)</script>\n" }
        return text + "</body>\n</html>\n"
    }
}
