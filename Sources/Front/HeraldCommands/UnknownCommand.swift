import ArgumentParser
import Presentation
import Text

/// A word that is used as a command but is not one.
struct UnknownCommand {
    let parent: any ParsableCommand.Type
    let word: String
    let suggestion: String?

    var message: String {
        let advice = suggestion.map { "; did you mean `\($0)`?" } ?? ""
        return "there is no command `\(TextStyle.safe(word))`\(advice)"
    }

    /// Nil if all commands are known, or if an option comes first.
    static func find(
        in words: ArraySlice<String>,
        of parent: any ParsableCommand.Type
    ) -> UnknownCommand? {
        let commands = parent.configuration.subcommands
        guard let word = words.first, !word.hasPrefix("-"), !commands.isEmpty else { return nil }
        if let next = commands.first(where: { $0.names.contains(word) }) {
            return find(in: words.dropFirst(), of: next)
        }
        let near = suggestion(for: word, among: commands.flatMap { $0.names })
        // A word without a similar command may be an argument of the default subcommand.
        guard near != nil || parent.configuration.defaultSubcommand == nil else { return nil }
        return UnknownCommand(parent: parent, word: word, suggestion: near)
    }

    private static func suggestion(for word: String, among names: [String]) -> String? {
        SpellingSuggestion.nearest(to: word, among: names) ?? names.first { $0.hasPrefix(word) }
    }
}

extension ParsableCommand {
    fileprivate static var names: [String] { [_commandName] + configuration.aliases }
}
