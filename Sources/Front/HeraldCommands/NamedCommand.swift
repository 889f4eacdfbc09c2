import ArgumentParser
import Text

/// A word that is used as a command but is not one.
struct UnknownCommand {
    /// The command before the word.
    let parent: any ParsableCommand.Type
    /// The parent and the commands before it, such as `herald state`.
    let commandLine: String
    let word: String
    let suggestion: String?

    /// Nil if all commands are known, or if an option comes first.
    static func find(
        in words: ArraySlice<String>,
        of parent: any ParsableCommand.Type,
        after line: String = ""
    ) -> UnknownCommand? {
        let line = line + parent._commandName
        let commands = parent.configuration.subcommands
        guard let word = words.first, !word.hasPrefix("-"), !commands.isEmpty else { return nil }
        if let next = commands.first(where: { $0.names.contains(word) }) {
            return find(in: words.dropFirst(), of: next, after: line + " ")
        }
        let near = suggestion(for: word, among: commands.flatMap { $0.names })
        // A word without a similar command may be an argument of the default subcommand.
        guard near != nil || parent.configuration.defaultSubcommand == nil else { return nil }
        return UnknownCommand(
            parent: parent,
            commandLine: line,
            word: word,
            suggestion: near
        )
    }

    private static func suggestion(for word: String, among names: [String]) -> String? {
        SpellingSuggestion.nearest(to: word, among: names) ?? names.first { $0.hasPrefix(word) }
    }
}

extension ParsableCommand {
    fileprivate static var names: [String] { [_commandName] + configuration.aliases }
}
