/// Renders an error about an unknown command, in the form of other errors about arguments.
package struct UnknownCommandView: Sendable {
    /// The command line before the unknown word, such as `herald state`.
    private let command: String
    private let usage: String

    package init(of command: String, usage: String) {
        self.command = command
        self.usage = usage
    }

    /// `suggestion`: a similar command.
    package func render(_ word: String, suggestion: String?) -> String {
        let advice = suggestion.map { "; did you mean `\($0)`?" } ?? ""
        return """
            Error: there is no command `\(TextStyle.safe(word))`\(advice)
            Usage: \(usage)
              See '\(command) --help' for more information.

            """
    }
}
