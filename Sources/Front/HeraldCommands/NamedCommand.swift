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
        if let next = parent.subcommand(named: word) {
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

/// The command without subcommands that the first words name, and the arguments after them.
struct NamedCommand {
    let type: any ParsableCommand.Type
    let arguments: ArraySlice<String>

    /// Nil if the words do not name one, or if an option comes first.
    static func find(
        in words: ArraySlice<String>,
        of parent: any ParsableCommand.Type
    ) -> NamedCommand? {
        guard let word = words.first, let next = parent.subcommand(named: word) else { return nil }
        let rest = words.dropFirst()
        guard next.configuration.subcommands.isEmpty else { return find(in: rest, of: next) }
        return NamedCommand(type: next, arguments: rest)
    }
}

extension ParsableCommand {
    static func subcommand(named word: String) -> (any ParsableCommand.Type)? {
        configuration.subcommands.first { $0.names.contains(word) }
    }

    fileprivate static var names: [String] { [_commandName] + configuration.aliases }
}
